"""What must be known of the words of a language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    """Return the words of a text, divided by spaces."""
    return frozenset(text.split())


def headings(text: str) -> tuple[str, ...]:
    """Return the headings of a text, divided by "|"."""
    return tuple(map(str.strip, text.split("|")))


@dataclass(frozen=True)
class Words:
    """Words of a language. All are in lower case, unless it says otherwise; a language may leave
    out any.

    Attributes:
        before_numbers: Abbreviations that belong to a number after them ("fig"), without the full
            stop. Only those that spaCy's tokenizer of the language does not keep with it.
        never_last: Abbreviations, likewise, that end no sentence ("approx").
        clipped: Abbreviations, likewise, that end none before a lower-case word ("ave").
        starters: Words that, with a capital as here, begin a sentence after an abbreviation such
            as "U.S.".
        background: Headings of the sections that lead into an article (rule iii).
        back_matter: Headings of the sections that list sources, links and the like (rule iv).
        in_any_text: Words that stand in any story, chat or mail: never keywords.
        times: Words that say when something happens: seldom keywords, as past forms and particles.
        common_nouns: Nouns that by themselves say nothing of what a text is about ("people").
        modifiers: Words that say which of several or how good something is ("other", "great"), and
            what else no name begins with ("let").
        auxiliaries: Verbs beside which a sentence needs no other ("is").
        after_nouns: Words that stand after a noun rather than a verb ("of").
        directions: Of the compass. Before a name they are a part of it ("West Nile Virus").
        says: Verbs that tell who says what stands before them between quotation marks.
        past_forms: Past forms of irregular verbs.
        past_ending: Of those of the regular ones; "" if there is none.
        particles: Of names ("de").
        titles: Of persons ("mr"): never keywords.
        joints: Short words that join two to a phrase ("history of art").
        links: Words that link two phrases to one ("access to the lake").
        determiners: Words that may stand after those in a name.
        plurals: Irregular plurals, and what they are plurals of.
        endings: Words that differ by one of these have one stem, longest first.
        captions: Words before the number of a picture or a table ("figure").
        attendance: Words before the names of those who were there ("present").
        headings_of_parts: Words before the number of a heading ("chapter").
        headings_of_roles: Headings that say what a section is for, not what it is about.
        leading_on: Words that end no heading, as the next line goes on with them.
        announcing: Words of sentences that announce what stands below them ("the following").
        non_answers: What is written where there is no answer ("n/a"), without the marks around it.
        greetings: First words of a mail ("dear").
        closings: Last lines of a mail ("with best regards"), as patterns.
        calls: How lines begin that call on the reader of a page ("follow us"), as patterns.
        menus: What lines of the menus of a page are ("log in"), as patterns.
        months: Names of the months in order, with capitals.
        before_dates: Words before the date of a text ("published").
        after_times: Words after the time of day ("gmt").
        pages: What stands before the number of a page.
        usual_sentences: Sentences of a single theme each, as words between spaces.
        asides: Sentences and lines that say nothing of a theme ("Thank you very much."), by kind,
            and some that do. The kinds are those of English.
    """

    before_numbers: frozenset[str] = frozenset()
    never_last: frozenset[str] = frozenset()
    clipped: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    background: tuple[str, ...] = ()
    back_matter: tuple[str, ...] = ()
    in_any_text: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    common_nouns: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()
    auxiliaries: frozenset[str] = frozenset()
    after_nouns: frozenset[str] = frozenset()
    directions: frozenset[str] = frozenset()
    says: frozenset[str] = frozenset()
    past_forms: frozenset[str] = frozenset()
    past_ending: str = ""
    particles: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    plurals: Mapping[str, str] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    captions: frozenset[str] = frozenset()
    attendance: frozenset[str] = frozenset()
    headings_of_parts: frozenset[str] = frozenset()
    headings_of_roles: frozenset[str] = frozenset()
    leading_on: Sequence[str] = ()
    announcing: frozenset[str] = frozenset()
    non_answers: frozenset[str] = frozenset()
    greetings: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    menus: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    before_dates: frozenset[str] = frozenset()
    after_times: frozenset[str] = frozenset()
    pages: frozenset[str] = frozenset()
    usual_sentences: tuple[str, ...] = ()
    asides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
