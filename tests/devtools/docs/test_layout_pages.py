from __future__ import annotations

import re

from devtools.docs.layout_pages import pages
from mqcap.ingest.smf.layout import layouts
from tests.many_values import for_each

PAGES = pages()


@for_each("name", sorted(layouts()))
def test_every_field_is_on_one_page_with_offset_length_and_mark(name: str) -> None:
    layout = layouts()[name]
    (page,) = (text for text in PAGES.values() if f"\n## {name}\n" in text)
    part = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in part.splitlines() if re.match(r"\| [^-]", line)][1:]
    fields = [field for item in layout.fields for field in (item, *item.fields)]
    assert [row[0].removeprefix("| ") for row in rows] == [field.name for field in fields]
    assert [row[3] for row in rows] == [str(field.length) for field in fields]
    assert all(row[2].endswith(str(f.offset)) for row, f in zip(rows, fields, strict=True))
    marks = {None: "V", "A": "A", "B": "**B**", "C": "**C**"}
    assert [row[7] for row in rows] == [marks[field.certainty] for field in fields]


def test_links_lead_to_structures() -> None:
    for text in PAGES.values():
        for page, anchor in re.findall(r"\]\(([\w-]+\.md)#(\w+)\)", text):
            assert f"\n## {anchor.upper()}\n" in PAGES[page]
