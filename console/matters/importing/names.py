"""Names of WordprocessingML elements without their namespaces' two spellings."""

from functools import lru_cache

from lxml import etree

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w:",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w:",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m:",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m:",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc:",
    "urn:schemas-microsoft-com:vml": "v:",
    "urn:schemas-microsoft-com:office:office": "o:",
}


def name_of(element: etree._Element) -> str:
    """As "w:p", for both the transitional and the strict namespace; others get no prefix."""
    tag = element.tag
    # A comment or a processing instruction has no name.
    return _short(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1024)
def _short(tag: str) -> str:
    namespace, _brace, local = tag.removeprefix("{").rpartition("}")
    return _PREFIXES.get(namespace, "") + local


def attribute(element: etree._Element | None, name: str) -> str | None:
    """The attribute of that local name, whatever its namespace."""
    if element is None:
        return None
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first descendant along these names ("w:pPr", "w:numPr")."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def value_of(element: etree._Element | None, *path: str) -> str | None:
    """The val attribute of the element along that path."""
    return attribute(child(element, *path), "val")
