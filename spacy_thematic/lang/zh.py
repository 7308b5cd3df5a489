"""Chinese."""

from spacy_thematic.lang.words import Words, headings

WORDS = Words(
    background=headings("背景"),
    back_matter=headings(
        "参见 | 參見 | 参看 | 參看 | 参考 | 參考 | 参考书目 | 參考書目 | 参考文献 | 參考文獻"
        "| 参考来源 | 參考來源 | 参考资料 | 參考資料 | 另见 | 另見 | 图库 | 圖庫 | 外部链接"
        "| 外部鏈接 | 外部連結 | 延伸阅读 | 延伸閱讀 | 扩展阅读 | 擴展閱讀 | 来源 | 來源 | 注脚"
        "| 註腳 | 注解 | 註解 | 注释 | 注釋 | 註釋 | 相关条目 | 相關條目 | 脚注 | 腳註 | 资料来源"
        "| 資料來源"
    ),
)
