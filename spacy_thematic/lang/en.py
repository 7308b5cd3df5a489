"""English."""

from spacy_thematic.lang.en_asides import ASIDES
from spacy_thematic.lang.words import Words, headings, words

BACK_MATTER_OF_THE_PAPER = headings(
    "External links | Further reading | References | See also | Notes | Citations | Authored books"
)
"""The headings that Ein Dor et al. (2018) name in their rule iv."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)

WORDS = Words(
    before_numbers=words(
        "abs al art bef bldg c ca ch chap cir ed eq eqs est fig figs n° no nos op p para paras pp "
        "pt sec vol vols"
    ),
    clipped=words("ave intro tech"),
    never_last=words(
        "approx cf dept e.g eng i.e lit suppl translit v viz vs "
        "brig capt cllr cllrs cmdr col cpl hon lt maj msgr pvt sgt"
    ),
    starters=words(
        "After Although At But Did Do Does He Her His How However In It Its On She That The There "
        "These They This What When Where While Who Why"
    ),
    background=headings("Background"),
    back_matter=(
        *BACK_MATTER_OF_THE_PAPER,
        *headings(
            "Additional reading | Bibliography | Bibliography and references"
            "| Citations and notes | Endnotes | External link | External links and references"
            "| Footnotes | Footnotes and references | Further information | Gallery"
            "| General references | Image gallery | Literature cited | Notes and citations"
            "| Notes and references | Notes and sources | Other references | Reading list"
            "| Reference | References and external links | References and footnotes"
            "| References and further reading | References and links | References and notes"
            "| References and sources | Related articles | Related links | Related pages"
            "| Selected bibliography | Sources | Sources and external links"
            "| Sources and further reading | Sources and references | Suggested reading"
            "| Web links | Weblinks | Works cited"
        ),
    ),
    in_any_text=words(
        "ah aha alright amazing amp anybody arent asked asks aw awesome aww ay bit boo brrr btw "
        "bunch bye byes came cant cheers come comes coming cool couldnt didnt doesnt dont doth ed "
        "eds eh erm etc ew eww everybody everyone folks gents getting gim gimme goes gon gone "
        "gonna goodbye goodnight gosh got gotta great gt guys haha hasnt hath havent hello hey hi "
        "hmm hmmm huh im isnt ive kinda ladies lem lemme ll lol lot lots lt maybe mm mmm nah nbsp "
        "nice nite nope nt oh ohh ok okay omitted ooh perfect please quick quot rt said say "
        "saying says shalt shouldnt somebody sorry sorta stuff thank thanks thee thine thing "
        "things thou thy today told tomorrow took ugh uh um umm unto ve wan wanna wasnt went whoa "
        "wo woah wont wouldnt wow ye yeah yeh yep yes yesterday yup"
    ),
    times=words(
        "second seconds minute minutes hour hours day days week weeks weekend month months year "
        "years decade decades century centuries morning mornings afternoon evening evenings night "
        "nights noon midnight monday tuesday wednesday thursday friday saturday sunday later early "
        "earlier recent recently past ago time times half "
        "jan feb apr aug sept oct nov dec mon tue wed thu fri"
    ).union(map(str.lower, _MONTHS)),
    common_nouns=words(
        "area areas aspect aspects case cases course end example examples fact facts good "
        "group groups guy hand hands idea ideas issue issues kind kinds life lives man men matter "
        "matters name names number numbers others part parts people person persons piece pieces "
        "place places point points problem problems reason reasons result results right side sides "
        "sort state story stories talk thing use uses way ways woman word words work world"
    ),
    modifiers=words(
        "able actual amazing another available awesome awful bad better certain cool different "
        "entire excellent favorite favourite few former good great horrible latter let lets "
        "likely lovely many more most much na nice other own particular perfect possible previous "
        "same several similar some such sure ta terrible usual various very whole wonderful worse "
        "worst"
    ),
    auxiliaries=words(
        "am are be been being can cannot could did do does done had has have is made make may "
        "might must seem seemed seems shall should used using was were will would "
        "'d 'll 'm 're 's 've nt"
    ),
    after_nouns=words("of and or for"),
    directions=words("north south east west"),
    says=words(
        "add added adds announced announces answer answered answers ask asked asks called calls "
        "cried cries cry declared declares demanded demands enquired enquires exclaimed exclaims "
        "explained explains inquired inquires insisted insists interrupted interrupts murmured "
        "murmurs muttered mutters repeated repeats replied replies reply responded responds said "
        "say says screamed screams shouted shouts suggested suggests thought whispered whispers "
        "wondered wonders yelled yells"
    ),
    past_forms=words(
        "became began bought brought built caught chose cut drank drew drove fell felt flew forgot "
        "found fought froze gave grew heard held hid hit hung kept knew laid lay led left let lost "
        "made met paid put ran rang rode rose sang sat saw sent set shone shook shot slept smelt "
        "sold spent spoke stole stood struck stuck swam swept swung taught thought threw told tore "
        "woke understood won wore wrote"
    ),
    past_ending="ed",
    particles=words("al da das de del den der di du el la las le les los san st van von"),
    titles=words("mr mrs ms dr prof sir madam herr frau monsieur madame"),
    joints=words("of de von 's ’s"),
    links=words("and at between by for from in into of on over to with without against as"),
    determiners=words("a an the his her its"),
    plurals=dict(
        zip(
            "buses gases viruses lenses heroes potatoes tomatoes children women men feet teeth "
            "mice geese wolves knives shelves indices matrices vertices crises analyses hypotheses "
            "criteria phenomena bacteria".split(),
            "bus gas virus lens hero potato tomato child woman man foot tooth "
            "mouse goose wolf knife shelf index matrix vertex crisis analysis hypothesis "
            "criterion phenomenon bacterium".split(),
        )
    ),
    endings=("ing", "ed", "er", "al", "s", "e"),
    attendance=words(
        "absent apologies attendance attendees attending participants present regrets"
    ),
    headings_of_parts=words("part chapter section article annex appendix"),
    captions=words("box chart diagram exhibit fig figure listing photo picture plate table"),
    headings_of_roles=words(
        "abstract agenda appendix comments conclusion conclusions contents description details "
        "discussion example examples general image images interview interviewer introduction log "
        "minutes misc miscellaneous narrative note notes other others overview part parts preface "
        "question questions summary synopsis text transcript"
    ),
    leading_on=(
        "a an the of to in on at by for with from as and or but than that which who is are was "
        "were be been has have had its his her their our your my".split()
    ),
    announcing=words(
        "example examples follow following follows he here include includes including note ps she "
        "these they this we you"
    ),
    non_answers=frozenset(
        headings(
            "n/a | na | n.a | n a | nan | nil | none | null | nothing | no answer | no comment"
            "| no comments | no response | not applicable | nothing to add"
        )
    ),
    greetings=("hi", "hello", "hey", "dear"),
    closings=(
        r"(?:(?:with )?(?:(?:all the )?best|kind(?:est)?|warm(?:est)?|many) )?"
        r"(?:regards|wishes|thanks|cheers|best|ciao)[,.!]?",
        r"(?:yours )?(?:sincerely|faithfully|truly)(?: yours)?[,.]?|(?:all the|my) best[,.!]?",
        r"(?:cordially|respectfully)(?: yours)?,|thank(?:s again|s in advance| you),",
        r"(?:bye|bye for now|see you|so long|take care|talk soon|talk to you soon|yours)[,!]",
        r"see you (?:later|soon|then|there)[,!]",
    ),
    usual_sentences=(
        "The river rises in the mountains and floods the valley each spring .",
        "She studied law at the university and became a judge in the capital .",
        "The band recorded its second album in a small studio near the coast .",
        "The heart pumps blood through the body and rests between two beats .",
        "Parliament passed the bill after a long debate about the new tax .",
        "The engine burns less fuel , but the car is slower than the old model .",
        "Please send the invoice to our office before the end of the month .",
        "The team lost the final by two goals in front of a large crowd .",
    ),
    calls=(
        r"advertisement\Z|advertise with|all rights reserved|click (?:here|to)|continue reading",
        r"(?:follow|join|like) us|(?:get|sign up for) (?:our|the|weekly|daily)\b.{0,40}newsletter",
        r"more on this (?:story|topic)|read (?:more|next|also)\b|(?:reporting|editing) by",
        r"related (?:articles?|content|links?|news|posts?|stories|story|tags|topics?)",
        r"share (?:this|on|via)|skip to|(?:story|article) continues below",
        r"subscribe (?:to|now|for)|you (?:may|might) also like",
    ),
    menus=(
        r"about(?: us)?|ad choices|advertis(?:e|ing)|archives?|back to top|(?:\d+ )?comments?",
        r"contact(?: us)?|cookies?(?: policy| settings)?|e-?mail|facebook|faq|feedback|help|home",
        r"instagram|jobs|linkedin|log ?(?:in|out)|menu|more|most (?:popular|read|viewed)",
        r"my account|newsletters?|next|pinterest|previous|print|privacy(?: policy| notice)?",
        r"register|rss|save|search|see all|settings|share|sign (?:in|up|out)|site ?map",
        r"subscribe|subscriptions?|terms (?:of|and) (?:use|service|conditions)|top stories",
        r"trending|tweet|twitter|view all|whatsapp|youtube",
    ),
    months=_MONTHS,
    before_dates=words("first last modified on posted published updated"),
    after_times=words("am bst cest cet edt est gmt pm pst pdt utc"),
    pages=words("page p pg"),
    asides=ASIDES,
)
