"""Polish."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("art nr ok pkt poz rys s str"),
    never_last=words("abp al bp dr gen im inż kpt ks m.in mjr np p prof płk tj tzw ul św"),
    background=headings("Tło"),
    back_matter=headings(
        "Bibliografia | Bibliografia uzupełniająca | Galeria | Galeria zdjęć | Link zewnętrzny"
        "| Linki | Linki zewnętrzne | Literatura | Literatura dodatkowa | Literatura uzupełniająca"
        "| Odnośniki | Przypisy | Przypisy i uwagi | Uwagi | Uwagi i przypisy | Zobacz"
        "| Zobacz także | Zobacz też | Źródła"
    ),
    pages=words("strona str"),
)
