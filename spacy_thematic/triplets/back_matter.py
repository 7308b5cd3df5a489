"""Headings of what is left out of an article, by language: one table for rules iii and iv.

They are those of the largest Wikipedias: English, German, French, Spanish, Italian, Dutch, Polish,
Portuguese, Russian, Swedish, Japanese and Chinese; and of the Bulgarian one. Another language is an
entry more in each table.
"""

from __future__ import annotations

from spacy_thematic.articles.article import normalize_title

ALL_LANGUAGES = "xx"


def is_other_language(model: str, text: str) -> bool:
    """Whether a model of one language is for other texts than those of another; "" is unknown."""
    return bool(model and text) and model not in (text, ALL_LANGUAGES)


def normalize_heading(heading: str) -> str:
    """The form of a heading that all its spellings share, without punctuation around it."""
    normal = normalize_title(heading).replace("’", "'")
    return normal.strip(" :.'\"*[]{}=").replace("&", "and")


def find_background(lang: str) -> frozenset[str]:
    """Rule iii: the normalised headings of "Background" in a language, and in English."""
    return _find(_BACKGROUND, lang)


def find_back_matter(lang: str, paper_rules: bool = False) -> frozenset[str]:
    """Rule iv: the normalised headings of sections that list sources, links and the like.

    Args:
        lang: A spaCy language code. English headings are always among them; "xx" has those of all
            languages.
        paper_rules: Of the English headings, those alone that the paper names.
    """
    return _find({**_BACK_MATTER, "en": _OF_THE_PAPER} if paper_rules else _BACK_MATTER, lang)


def _find(table: dict[str, frozenset[str]], lang: str) -> frozenset[str]:
    languages = table if lang == ALL_LANGUAGES else {"en", lang}
    return frozenset().union(*(table.get(own, frozenset()) for own in languages))


def _headings(text: str) -> frozenset[str]:
    return frozenset(map(normalize_heading, text.split("|")))


_BACKGROUND = {
    "en": _headings("Background"),
    "bg": _headings("Предистория"),
    "de": _headings("Hintergrund"),
    "es": _headings("Antecedentes"),
    "fr": _headings("Contexte"),
    "it": _headings("Contesto"),
    "ja": _headings("背景"),
    "nl": _headings("Achtergrond"),
    "pl": _headings("Tło"),
    "pt": _headings("Antecedentes"),
    "ru": _headings("Предыстория"),
    "sv": _headings("Bakgrund"),
    "zh": _headings("背景"),
}

_OF_THE_PAPER = _headings(
    "External links | Further reading | References | See also | Notes | Citations | Authored books"
)

_BACK_MATTER = {
    "en": _OF_THE_PAPER
    | _headings(
        "Additional reading | Bibliography | Bibliography and references | Citations and notes"
        "| Endnotes | External link | External links and references | Footnotes"
        "| Footnotes and references | Further information | Gallery | General references"
        "| Image gallery | Literature cited | Notes and citations | Notes and references"
        "| Notes and sources | Other references | Reading list | Reference"
        "| References and external links | References and footnotes"
        "| References and further reading | References and links | References and notes"
        "| References and sources | Related articles | Related links | Related pages"
        "| Selected bibliography | Sources | Sources and external links"
        "| Sources and further reading | Sources and references | Suggested reading | Web links"
        "| Weblinks | Works cited"
    ),
    "bg": _headings(
        "Библиография | Бележки | Бележки и източници | Бележки под линия | Вижте още"
        "| Вижте също | Виж също | Външна препратка | Външни връзки | Външни препратки | Галерия"
        "| Допълнителна литература | За допълнително четене | Използвана литература | Източник"
        "| Източници | Източници и бележки | Източници и литература | Литература"
        "| Литература и източници | Препратки | Цитирана литература"
    ),
    "de": _headings(
        "Anmerkungen | Anmerkungen und Einzelnachweise | Belege | Bibliografie | Bibliographie"
        "| Bilder | Bildergalerie | Einzelbelege | Einzelnachweis | Einzelnachweise"
        "| Einzelnachweise und Anmerkungen | Externe Links | Fußnoten | Galerie | Literatur"
        "| Literatur und Einzelnachweise | Literatur und Quellen | Literatur und Weblinks"
        "| Literaturhinweise | Literaturverzeichnis | Nachweise | Quelle | Quellen"
        "| Quellen und Anmerkungen | Quellen und Einzelnachweise | Quellen und Literatur"
        "| Quellen und Weblinks | Quellenangaben | Quellenverzeichnis | Referenzen | Siehe auch"
        "| Verweise | Weblink | Weblinks und Quellen | Weiterführende Informationen"
        "| Weiterführende Links | Weiterführende Literatur"
    ),
    "es": _headings(
        "Artículos relacionados | Bibliografía | Bibliografía adicional | Bibliografía recomendada"
        "| Bibliografía y referencias | Citas | Enlace externo | Enlaces externos"
        "| Enlaces relacionados | Fuentes | Galería | Galería de imágenes | Lectura adicional"
        "| Lecturas adicionales | Lecturas recomendadas | Notas | Notas al pie"
        "| Notas y referencias | Obras citadas | Otras lecturas | Para saber más | Referencias"
        "| Referencias bibliográficas | Referencias y notas | Vea también | Vease también"
        "| Véase también"
    ),
    "fr": _headings(
        "Annexe | Annexes | Article connexe | Articles connexes | Bibliographie"
        "| Bibliographie et sources | Galerie | Galerie d'images | Galerie de photos"
        "| Lien externe | Liens | Liens connexes | Liens externes | Liens internes"
        "| Liens utiles | Notes | Notes et références | Notes et sources | Ouvrages cités"
        "| Pour approfondir | Pour en savoir plus | Référence | Références"
        "| Références bibliographiques | Références et notes | Source | Sources"
        "| Sources et bibliographie | Sources et liens externes | Sources et références"
        "| Voir aussi | Voir également | Webographie"
    ),
    "it": _headings(
        "Altri progetti | Annotazioni | Bibliografia | Collegamenti | Collegamenti esterni"
        "| Collegamento esterno | Fonti | Galleria | Galleria d'immagini | Galleria fotografica"
        "| Letture consigliate | Link esterni | Note | Note e riferimenti | Per approfondire"
        "| Riferimenti | Riferimenti bibliografici | Sitografia | Vedi anche | Voci correlate"
    ),
    "ja": _headings(
        "ギャラリー | 出典 | 出典・脚注 | 参照 | 参考 | 参考文献 | 参考資料 | 外部リンク | 引用文献"
        "| 文献 | 注 | 注記 | 注釈 | 注釈・出典 | 脚注 | 脚注・出典 | 註釈 | 関連リンク | 関連図書"
        "| 関連文献 | 関連書籍 | 関連項目"
    ),
    "nl": _headings(
        "Afbeeldingen | Bibliografie | Bron | Bronnen | Bronnen en noten | Bronnen en referenties"
        "| Bronnen, noten en referenties | Bronnen, noten en/of referenties"
        "| Bronnen, noten, referenties | Bronvermelding | Externe koppelingen | Externe link"
        "| Externe links | Externe verwijzingen | Fotogalerij | Galerij | Geraadpleegde literatuur"
        "| Literatuur | Literatuurlijst | Noten | Noten en referenties | Referentie | Referenties"
        "| Referenties en voetnoten | Verder lezen | Verwijzingen | Voetnoten | Zie ook"
        "| Zie verder"
    ),
    "pl": _headings(
        "Bibliografia | Bibliografia uzupełniająca | Galeria | Galeria zdjęć | Link zewnętrzny"
        "| Linki | Linki zewnętrzne | Literatura | Literatura dodatkowa | Literatura uzupełniająca"
        "| Odnośniki | Przypisy | Przypisy i uwagi | Uwagi | Uwagi i przypisy | Zobacz"
        "| Zobacz także | Zobacz też | Źródła"
    ),
    "pt": _headings(
        "Bibliografia | Bibliografia adicional | Citações | Fontes | Galeria | Galeria de imagens"
        "| Leitura adicional | Leitura complementar | Leitura recomendada | Leituras adicionais"
        "| Ligação externa | Ligações externas | Links externos | Notas | Notas de rodapé"
        "| Notas e referências | Referência | Referências | Referências bibliográficas"
        "| Referências e notas | Veja também | Ver também"
    ),
    "ru": _headings(
        "Библиография | Внешние ссылки | Галерея | Дополнительная литература"
        "| Использованная литература | Источник | Источники | Источники и литература | Комментарии"
        "| Литература | Литература и источники | Литература и ссылки | Примечание | Примечания"
        "| Примечания и ссылки | Рекомендуемая литература | См. также | Смотри также"
        "| Смотрите также | Сноски | Список литературы | Ссылки | Ссылки и примечания"
    ),
    "sv": _headings(
        "Anmärkningar | Bibliografi | Bilder | Bildgalleri | Extern länk | Externa källor"
        "| Externa länkar | Fotnoter | Galleri | Källa | Källförteckning | Källhänvisningar"
        "| Källor | Källor och noter | Källor och referenser | Litteratur | Läs mer | Noter"
        "| Noter och källor | Noter och referenser | Referens | Referenser | Se även"
        "| Tryckta källor | Vidare läsning | Webbkällor"
    ),
    "zh": _headings(
        "参见 | 參見 | 参看 | 參看 | 参考 | 參考 | 参考书目 | 參考書目 | 参考文献 | 參考文獻"
        "| 参考来源 | 參考來源 | 参考资料 | 參考資料 | 另见 | 另見 | 图库 | 圖庫 | 外部链接"
        "| 外部鏈接 | 外部連結 | 延伸阅读 | 延伸閱讀 | 扩展阅读 | 擴展閱讀 | 来源 | 來源 | 注脚"
        "| 註腳 | 注解 | 註解 | 注释 | 注釋 | 註釋 | 相关条目 | 相關條目 | 脚注 | 腳註 | 资料来源"
        "| 資料來源"
    ),
}
