"""Asserts that a type was generated for every variant of every union of the document, and that the union knows it.

usage: variants.py <openapi.json> <directory of the generated clients>
"""

import json
import re
import sys
from pathlib import Path


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# Per language: where a schema's type is, and how it is declared there.
LANGUAGES = {
    "kotlin": ("src/main/kotlin/fereta/client/models/{name}.kt", r"(?:class|enum class|interface) {name}\b"),
    "swift6": ("Sources/FeretaClient/Models/{name}.swift", r"public (?:struct|enum|class) {name}\b"),
    "dart-dio": ("lib/src/model/{snake}.dart", r"class {name}\b"),
}


def main(document: Path, generated: Path) -> None:
    schemas = json.loads(document.read_text())["components"]["schemas"]
    unions = {}
    for name, schema in schemas.items():
        references = [item["$ref"].rsplit("/", 1)[1] for item in schema.get("oneOf", []) if "$ref" in item]
        if len(references) > 1:
            unions[name] = references
    assert {"Move", "Event", "Cause"} <= unions.keys(), unions.keys()
    for language, (path, declaration) in LANGUAGES.items():
        def text(name: str) -> str:
            file = generated / language / path.format(name=name, snake=snake(name))
            assert file.is_file(), f"{language}: nothing was generated for {name} ({file.name})"
            return file.read_text()

        count = 0
        for union, variants in unions.items():
            of_union = text(union)
            for variant in variants:
                assert re.search(declaration.format(name=variant), text(variant)), f"{language}: {variant} is no type"
                assert re.search(rf"\b{variant}\b", of_union), f"{language}: {union} does not know {variant}"
                count += 1
            for tag in schemas[union].get("discriminator", {}).get("mapping", {}):
                # gson's wrappers try the variants in turn; each has its one-valued `type`.
                told = of_union if language != "kotlin" else "".join(map(text, variants))
                assert tag in told, f"{language}: {union} does not know the type {tag}"
        print(f"{language}: {', '.join(unions)}: {count} variants")


main(Path(sys.argv[1]), Path(sys.argv[2]))
