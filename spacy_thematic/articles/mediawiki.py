"""MediaWiki pages-articles XML dumps.

The format is described at https://www.mediawiki.org/wiki/Help:Export#Export_format. Any export
version can be read, with one page in memory at a time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import decode
from spacy_thematic.articles.sources import CHUNK, Lists, ReadLog, SourceError, open_source
from spacy_thematic.articles.wikitext import DROPPED_NAMESPACES, parse_wikitext

WIKITEXT_SUFFIXES = (".mediawiki", ".wiki", ".mw")
"""Of files that hold a page."""

MAX_PAGE_LENGTH = 2**22
"""Pages of more characters are skipped. MediaWiki saves none above 2 MiB."""

_MEDIA, _FILE, _CATEGORY = -2, 6, 14
# Each wiki has its own word for it, which its dump does not tell; no prose starts like that.
_REDIRECT = re.compile(r"\s*#(?:\s*redirect\b|[^\W\d_][\w ]{0,30}:?\s*\[\[)", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<mediawiki\b[^>]*\sxml:lang=[\"']([A-Za-z]+)")


def read_mediawiki_dump(path: Path, log: ReadLog, lists: Lists = False) -> Iterator[Article]:
    """Yield the articles of a MediaWiki XML dump, plain or compressed; see `read_pages`."""
    return (page.to_article(lists=lists, log=log) for page in read_pages(path, log))


def is_dump(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a dump, in UTF-8 or UTF-16."""
    return b"<mediawiki" in _without_nuls(head)


def find_dump_language(head: bytes) -> str:
    """The code of the language that a dump is in, without region; "" if it does not say, or the
    file is none."""
    found = _LANGUAGE.search(_without_nuls(head))
    return found[1].decode().lower() if found else ""


def _without_nuls(head: bytes) -> bytes:
    """The start of a file; in UTF-16, its ASCII letters are then those of UTF-8."""
    return head[:4000].replace(b"\0", b"")


@dataclass
class Site:
    """What a dump says about its wiki.

    Attributes:
        dropped_links: Namespaces whose links show no prose, in lower case.
        prefixes: Of titles outside the main namespace, in lower case.
    """

    name: str = ""
    dropped_links: frozenset[str] = DROPPED_NAMESPACES
    prefixes: frozenset[str] = frozenset()


@dataclass
class Page:
    """An article in wikitext."""

    title: str
    text: str
    site: Site

    def to_article(self, *, lists: Lists = False, log: ReadLog | None = None) -> Article:
        """Parse the wikitext. This is the costly step."""
        links = self.site.dropped_links
        article = parse_wikitext(self.title, self.text, links, lists=lists, log=log)
        article.source = f"mediawiki {self.site.name}".rstrip()
        return article


def parse_page(
    content: bytes, name: str, source: str, *, lists: Lists = False, log: ReadLog | None = None
) -> Article:
    """Make an article of a file of wikitext, in which items of lists may be indented, or tasks, as
    in other wikis. Its name is the title."""
    text = decode(content, log, source)
    if _OTHER_ITEM.search(text):
        text = _INDENT.sub("", _ITEM.sub("* ", text))
    title = name.replace("_", " ")
    article = parse_wikitext(title, text, lists=lists, shortest_item=1, log=log)
    article.source = source
    return article


_OTHER_ITEM = re.compile(r"^(?:[ \t]+[*-]|-) ", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*[*#-] (?:\[[ .oOxX]\] )?", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def read_pages(path: Path, log: ReadLog) -> Iterator[Page]:
    """Yield the pages of the main namespace except redirects, as wikitext.

    Skipped pages are counted in the log. Where a compressed stream was cut short, reading ends.
    Raises SourceError if the XML is not a dump or declares a document type; and, unless the log
    skips it, where the XML breaks off or is malformed, after the pages before were yielded."""
    with open_source(path, log) as stream:
        handler = _Handler(path, log)
        parser = handler.parser
        ended = False
        while not ended:
            chunk = stream.read1(CHUNK)
            ended = not chunk
            if ended and log.truncated:
                break
            broken = None
            try:
                parser.Parse(chunk, ended)
            except expat.ExpatError as error:
                broken = error
            for page in handler.pages:
                log.articles += 1
                yield page
            handler.pages.clear()
            if broken is not None:
                reason = expat.ErrorString(broken.code)
                problem = f"{path}, line {broken.lineno}: not well-formed XML ({reason})"
                if ended:
                    problem += ": the file breaks off"
                if not log.skip_bad or not handler.is_dump:
                    raise SourceError(
                        f"{problem}. Download the dump again, or use what comes before it with "
                        "--skip-bad"
                    ) from broken
                log.truncated = True
                log.note(f"{problem}. What came before was read")
                break


@dataclass
class _Handler:
    path: Path
    log: ReadLog
    pages: list[Page] = field(default_factory=list)
    is_dump: bool = False
    site: Site = field(default_factory=Site)

    def __post_init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._namespaces: dict[int, str] = {}
        self._found: dict[str, str] = {}
        """The text of each element, of a page or of what says where they are from."""
        self._attributes: dict[str, str] = {}
        self._text: list[str] = []
        self._length = self._longest = 0

    def _refuse_doctype(self, *_: object) -> None:
        raise SourceError(
            f"{self.path} declares a document type. MediaWiki dumps never do, and attacks by "
            "entity expansion need it. Remove the declaration if you trust the file"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.is_dump and name != "mediawiki":
            raise SourceError(
                f"{self.path} is XML with root <{name}>: expected <mediawiki>. "
                "Give a pages-articles dump or the output of Special:Export"
            )
        self.is_dump = True
        if name == "page":
            self._found, self._longest = {}, 0
        self._attributes, self._text, self._length = attributes, [], 0

    def _characters(self, data: str) -> None:
        self._length += len(data)
        if self._length <= MAX_PAGE_LENGTH:
            self._text.append(data)

    def _end(self, name: str) -> None:
        text = "".join(self._text)
        self._longest = max(self._length, self._longest)
        if name == "namespace":
            number = int(self._attributes.get("key", "0"))
            self._namespaces[number] = text.strip().lower()
        elif name == "siteinfo":
            self._end_siteinfo()
        elif name == "page":
            self._end_page()
        elif self._length <= MAX_PAGE_LENGTH:
            self._found[name] = text
        self._text, self._length = [], 0

    def _end_siteinfo(self) -> None:
        own = {self._namespaces.get(key, "") for key in (_MEDIA, _FILE, _CATEGORY)} - {""}
        names = (self._found.get(name, "").strip() for name in ("dbname", "sitename"))
        self.site = Site(
            name=next(filter(None, names), ""),
            dropped_links=DROPPED_NAMESPACES | own,
            prefixes=frozenset(name for key, name in self._namespaces.items() if key != 0),
        )

    def _end_page(self) -> None:
        page = self._found
        title, text = page.get("title", "").strip(), page.get("text")
        if not self._is_article_namespace(title, page.get("ns")):
            self.log.skip("other namespace")
        elif "redirect" in page or _REDIRECT.match(text or ""):
            self.log.skip("redirect")
        elif page.get("model", "wikitext") != "wikitext":
            self.log.skip("not wikitext")
        elif self._longest > MAX_PAGE_LENGTH:
            self.log.skip("page too long", f"{title}: a page of {self._longest:,} characters")
        elif not title or text is None:
            self.log.skip("no title or text")
        else:
            self.pages.append(Page(title, text, self.site))

    def _is_article_namespace(self, title: str, number: str | None) -> bool:
        if number is not None:
            return number.strip() == "0"
        prefix, colon, _ = title.partition(":")
        return not (colon and prefix.strip().lower() in self.site.prefixes)
