// Lints the OpenAPI document with Redocly's rules, as `redocly lint` does (whose program brings 200 MB along; this is its core).
// The rules, and why which are off: redocly.yaml.
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';

const config = await loadConfig({ configPath: new URL('redocly.yaml', import.meta.url).pathname });
const problems = await lint({ ref: process.argv[2], config });
formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '', maxProblems: 40 });
process.exit(problems.length === 0 ? 0 : 1);
