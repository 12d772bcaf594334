"""No page sends its reader to a file that isn't there."""

import re

from tests.checkout import ROOT, committed_files

LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def test_every_link_from_a_page_to_a_file_leads_somewhere() -> None:
    links = [
        (page, target)
        for page in committed_files()
        if page.endswith(".md")
        for target in LINK.findall((ROOT / page).read_text())
    ]

    assert ("docs/contributing.md", "glossary.md") in links
    assert [link for link in links if not (ROOT / link[0]).parent.joinpath(link[1]).exists()] == []
