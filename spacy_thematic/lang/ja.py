"""Japanese."""

from spacy_thematic.lang.words import Words, headings

WORDS = Words(
    background=headings("背景"),
    back_matter=headings(
        "ギャラリー | 出典 | 出典・脚注 | 参照 | 参考 | 参考文献 | 参考資料 | 外部リンク | 引用文献"
        "| 文献 | 注 | 注記 | 注釈 | 注釈・出典 | 脚注 | 脚注・出典 | 註釈 | 関連リンク | 関連図書"
        "| 関連文献 | 関連書籍 | 関連項目"
    ),
)
