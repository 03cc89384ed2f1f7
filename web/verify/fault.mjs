/** A fault of a file: what was expected, what was found, and at which event. */

export class Fault extends Error {
  /** `seq` is the event's, or null for what stands after the events. */
  constructor(seq, rule, message, expected, found) {
    super(message);
    Object.assign(this, { seq, rule, expected: show(expected), found: show(found) });
  }
}

/** Short and printable, as it may come from the file and go to a terminal. */
function show(value) {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replace(/[^ -~]/g, '?');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** The fault that a check ended with, or null. Anything else that it throws is no finding, but a failure. */
export async function faultOf(check) {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

export function same(seq, rule, message, expected, found) {
  if (JSON.stringify(expected) !== JSON.stringify(found)) throw new Fault(seq, rule, message, expected, found);
}
