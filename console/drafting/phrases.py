"""The phrases of Chinese technical texts by which disclosures and claims are read: patterns only.

What each says about a text is decided where it is used. Pure.
"""

import re

# --- Everywhere -----------------------------------------------------------------------------------

SAID_BEFORE = re.compile(r"所述的?")

# --- The parts of a disclosure --------------------------------------------------------------------

# Kind of a section by words in its heading, the first match wins.
HEADINGS = (
    ("key", ("保护点", "关键点", "发明点", "创新点", "区别点", "欲保护")),
    ("effects", ("有益效果", "技术效果", "优点", "优势", "效果")),
    ("figures", ("附图说明", "附图", "图面说明", "标号", "附图标记")),
    ("embodiment", ("具体实施", "实施方式", "实施例", "实施方案", "工作过程", "工作原理")),
    ("background", ("背景", "现有技术", "技术问题", "发明目的", "缺点", "目的")),
    ("solution", ("发明内容", "实用新型内容", "技术方案", "解决方案", "技术内容", "方案")),
    ("field", ("技术领域", "所属领域", "领域", "发明名称", "名称")),
)  # fmt: skip
PARAGRAPH_NUMBER = re.compile(
    r"^(?:\[\d+\]|[#*\s]+|[一二三四五六七八九十]+[、.．]|[（(]?[\d一二三四五六七八九十]+[)）.．、])\s*"
)
EFFECT_START = re.compile(
    r"(?:(?:与|和)?现有技术相比|本(?:发明|实用新型)提供的|(?:本\w{1,6}的)?有益效果|本(?:发明|实用新型|申请|方案)(?:的)?(?:优点|效果|通过"
    r"|具有|能够|能|可|结构简单|成本低)|该\w{0,20}(?:具有|能够|可以有效))"
)
# Why there is an invention, and the sentence that only announces what follows.
PURPOSE_START = re.compile(
    r"(?:针对|为了?|鉴于|基于|由于)(?:上述|现有|以上|解决|克服|达到|实现|弥补|此)"
    r"|(?:有鉴于此|因此)，?(?:本|有必要)|本(?:发明|实用新型|申请)\w{0,10}(?:目的|要解决|所解决)"
    r"|(?:本\w{2,6}|上述\w{2,6})?(?:是)?通过(?:以下|如下)(?:技术)?(?:手段|方案)(?:予以)?实现[^：:]*。$"
    r"|(?:下面|以下)(?:将)?(?:结合|通过|对|以)|以上所述|(?:上述|所述|以上)实施例|显然|应当(?:理解|指出|说明)"
)
LEAD_TO_SOLUTION = re.compile(
    r"^[^。：:]{0,40}(?:技术方案|技术手段|方案|发明内容)(?:是|为|如下|包括)?(?:这样(?:实现)?的)?[：:，,]\s*"
)
FIELD_START = re.compile(r"本(?:发明|实用新型|申请)(?:涉及|属于|公开了?一种[^，,：:；]*。$)")

# --- Figures and reference signs ------------------------------------------------------------------

FIGURE_MENTION = re.compile(
    r"(?:请)?(?:如|参照|参见|参阅|参考|结合)(?:说明书)?(?:附图|图)"
    r"[\d、，和及至\-~～a-zA-Z图()（） ]*"
    r"(?:所示|可知)?(?:的)?[，,：:]?"
)
_UNIT = "℃%％°度mMkKgGcCsShHLlVvWwΩ~～-—.．:：×/^"
_COUNT = (
    "个只条块片次秒分小天年月日倍份种层级位者步米克升毫微千公号组对根道颗台件套排圈轮点类项元维相"
)
_SIGN_FORM = r"([\u4e00-\u9fff]{2}) ?(\d{1,4}[a-z]?'?)"
MAYBE_SIGN = re.compile(rf"{_SIGN_FORM}(?! ?[\da-zA-Z{re.escape(_UNIT + _COUNT)}])")
# Once a sign is known, 袋3对 is the sign and a verb, not three pairs.
KNOWN_SIGN = re.compile(rf"{_SIGN_FORM}(?! ?[\da-zA-Z{re.escape(_UNIT)}])(?: (?=[\u4e00-\u9fff]))?")
NO_SIGN_AFTER = "图例第骤表式求为约是至到于过达取用每的共有数值比近均"
SIGN_IN_PARENTHESES = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![式骤例表图第程])[（(]\d{1,4}[a-z]?'?(?:[、，,;；]\s?\d{1,4}[a-z]?'?)*[)）]"
)
# Claims are printed without blanks between numbers, units and Chinese words: the model was trained
# on such texts, and writes digits of its own into 200 目.
BLANK = re.compile(
    r"(?<=[^\x00-\x7f]) +| +(?=[^\x00-\x7f])|(?<=\d) +(?=[A-Za-z%°]{1,6}(?![A-Za-z]))"
)

# --- What an invention is: products, procedures, refinements --------------------------------------

REFINEMENT = re.compile(r"(?:[（(]?\d+[)）]\s*)?(?:更?进一步|优选|作为|较佳|可选|其中)")
PARTS = re.compile(
    r"设有|安装|连接有|组成|层|(?:包括|包含)[^步骤，。；]{0,20}(?:装置|机构|组件|单元|模块|材料|剂|体)"
)
TELLS = re.compile(r"包括|包含|设有|设置|特征|由.{2,30}[成组]|采用|步骤|安装|连接|具有|通过")
PREFACE = re.compile(
    r"^本(?:发明|实用新型|申请)(?:实施例)?(?:涉及|属于)[^，。]*领域[，。](?:具体[^，。]{0,4}(?=一种))?"
)
# What stands before the parts of a product: 本发明公开了一种膜，包括
NAMED = re.compile(r"^.*?(?:包括|包含|特征在于|设有|具有|由)[：:，]?")
ELABORATES = re.compile(r"所述[^，；。]{1,20}(?:为|包括|采用|由|呈|是|的)")
STEP_MARK = re.compile(
    r"步骤|[Ss]\d{1,2}[、：:.]|[（(]\d[)）]|加入|加热|冷却|搅拌|干燥|烧结|混合|得到|获取|获得|获知|判断|确定"
    r"|发送|接收|计算|去除|热处理|涂布|浇筑|研磨|提供"
)

# --- Features: what a dependent claim could be about ----------------------------------------------

CLAUSE_NUMBER = re.compile(
    r"^(?:[（(]?[\d一二三四五六七八九十]+[)）.．、]\s*|(?:步骤)?[SPsp步骤]*\s?\d+[、：:.]\s*|[-—●•·]\s*)+"
)
LEADS = re.compile(
    r"^(?:(?:更)?进一步(?:的|地)?|(?:更)?优选(?:的|地)?|较佳(?:的|地)?|具体(?:的|地|来说)?|可选(?:的|地)?"
    r"|作为\w{0,14}(?:优选|改进|实施\w{0,2})\w{0,6}|其中|此外|另外|同时|并且|而且|且|并|而|又"
    r"|(?:在)?(?:本|一个|一些|另一个|某个|该|上述|一种)?(?:优选)?(?:的)?(?:实施例|实施方式|实施方案|方案)中?(?:的)?"
    r"|其技术要点是|其特征(?:在于|是|为)"
    r"|本(?:发明|实用新型|申请)(?:中|的)?|按(?:照)?(?:上述)?方案|该|的|若|但|以及|以便|需要说明的是|可以理解的是|即"
    r"|作为优选)[，,：:]?"
)
BACK_REFERENCE = re.compile(r"所述的?|上述的?|前述的?")
SOFT = (
    (re.compile(r"优选(?:地|的)?(?:为|是)"), "为"),
    (
        re.compile(r"(?:更|最)?优选(?:地|的)?|最好(?:是)?|较佳(?:地|的)?|可以|尤其(?:是)?|特别是"),
        "",
    ),
    (re.compile(r"大约|左右|约(?=\s*\d)"), ""),
)
NO_FEATURE = re.compile(
    r"因此|问题|缺陷|现有技术|目前|传统|不足|优点|优势|有益效果|由于|因为|但从|理想情况|为例|可知|无需|不需要"
    r"|特点|即可|质量可靠|适用|目的|我们|创新|价值|结果(?:显示|表明)|成功率|经测试|环保|绿色|低碳|节能|依托|奠定|提供了|意义|前景|推广"
    r"|附图|如图|图\d|表\d|实施例|对比例|本发明|本实用新型|本申请|保护范围|技术人员|技术领域|涉及|公开了"
    r"|[a-zA-Z]{6}|步骤如下|步骤[一1]$|^(?:制备)?方法包括|权利要求|例如|比如|诸如|必要时|显而易见|下面|以下结合|以上|上文|说明书|原理|S\d{3}\D*S\d{3}"
)
# Effects: worth a claim only when the disclosure offers nothing else.
EFFECT = re.compile(
    r"能够|从而|使得|有利于|便于|避免|防止了|提高|降低|减少|提升|保证|有效|效果|简单|方便|性能|优异|成本|节约"
    r"|实用|良好|取消|占地|更加|快速|可使|容易|较好|人员|情况下|适当|必须|稳定|满足"
)
TECHNICAL = re.compile(
    r"包括|包含|设有|设置|安装|固定|连接|位于|采用|由.{1,30}(?:组成|构成|制成)|选自|均?为|呈|具有|形成|开设"
    r"|套设|铰接|螺纹|焊接|配合|驱动|输出|分别|至少|厚度|直径|长度|角度|比例|质量|温度|压力|浓度|含量|时间"
    r"|\d+(?:\.\d+)?\s*(?:℃|%|％|mm|cm|μm|nm|min|h|MPa|kPa|份|倍|mol|g|kg|r/min|V|Hz|°)"
)
STEP = re.compile(
    r"步骤|将|加入|加热|冷却|搅拌|反应|干燥|烧结|混合|得到|获取|判断|确定|发送|接收|计算|控制|℃|min|小时|然后"
)
STRUCTURE = re.compile(
    r"设有|设置|安装|固定|连接|位于|开设|套设|铰接|顶端|底部|内腔|侧壁|表面|层|板|端"
)
# The legend of a formula, and what happens under a condition, are no features by themselves.
SYMBOL = re.compile(r"[A-Za-zα-ωΑ-Ω]\w{0,12}\s*(?:为|是|表示|＝|=)|如果|假如|一旦|例|其他")
FURTHER = re.compile(r"^(?:[（(]?\d+[)）]\s*)?(?:更?进一步|优选|作为|较佳|可选)")
LIST = re.compile(
    r"([\u4e00-\u9fffA-Za-z]{2,12}?)(?:选自|为|采用|包括)([^，；。：]{2,20}(?:[、或][^，；。：、或]{2,20}){1,9})"
)
NOT_OF_THE_MEMBER = re.compile(r"^(?:者|以及|和)|(?:中的|的)?(?:至少|任意)?一种.*$|等$|和.*$")
NOT_OF_THE_NAME = re.compile(r"^(?:按重量份计|包括|包含|以及|或者|还有|由|及|和|与|或)+")
RANGE = re.compile(
    r"([\u4e00-\u9fffA-Za-z]{2,12}?)(?:的?(?:质量)?份数)?为?[：:]?(\d+(?:\.\d+)?)\s?[-~～至—–]\s?(\d+(?:\.\d+)?)\s?"
    r"(重量份|质量份|份|%|％|℃|mm|cm|μm|nm|min|h|小时|分钟|MPa|kPa|g|kg|mL|L)"
)

# --- Claims ---------------------------------------------------------------------------------------

# A second claim inside the first, with its number and its citation.
RUNS_ON = re.compile(
    r"[，；：、\s]\d{1,2}[.．、]\s*(?:一种|(?:根据|如|按照|依据|按|基于|依照)?权利要求)"
)
# A statement that breaks off (所述车身上设有。) or says a thing of itself (所述板包括所述板).
BREAKS_OFF = re.compile(
    r"(?:(?:以下|如下|下列|下述)的?(?:步骤|组分|部分|结构|部件|内容|原料)"
    r"|包括|包含|设有|设置有|具有|连接有|安装有|为|是|由|与|及|或|在于|通过|至少|用于|采用|使得|[，：、；])[。；]"
)
OF_ITSELF = re.compile(
    r"所述(.{2,14})(?:上|内|中)?(?:还)?(?:设有|设置有|包括|包含|为|是|具有)：?(?:所述)?\1(?:[，；。]|$)"
)
PREAMBLE = re.compile(
    r"^(?:根据|如|按照|依据|按|依照)?(?:前述|上述)?权利要求[^，：；。]*[，：]?"
    r"(?:其?特征(?:在于|是|为)[，：]?|其中[，：]?)?"
)
SMALL_WORDS = frozenset("的所述该其一个种为是在上中内还且并与和及，、；：。 （）()")

# --- Terms: how the first words of a claim end ----------------------------------------------------

# A term does not end in the middle of what is said about it.
UNFINISHED = re.compile(
    r"(?:的|为|是|由|与|和|及|或|在|上|包|包括|设|设有|采|采用|其|所|一|呈|通|过|通过)+$"
)
NAMED_PARTS = re.compile(
    r"(?:包括|包含|具有|(?:设|设置|安装|固定|连接|开设)有)[：:]?([^，；。,;：]{2,60})"
)
COUNTED = re.compile(r"^(?:至少)?[一二两三多若]+[个根块组条对只层]")
PART = re.compile(r"(?![当在若将对使用于以])[\u4e00-\u9fff]{2,10}(?<![端侧部面])")
SAYS = re.compile(r"为|是|由|与|和|包括|包含|设|采用|呈|具有|通过|位于|安装|连接|固定|[，、：；\d]")
