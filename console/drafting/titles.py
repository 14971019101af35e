"""What a title of an invention names: its product and its method. Pure.

一种X及其制备方法 names the product X and the method X的制备方法. A title is split only where both
sides read as names of things or procedures, because 及, 和 and 、 stand inside names as well
(一种高Bs、高频低损耗磁性材料). What comes out is a proposal: the agent's own subject always wins.
"""

import re
from dataclasses import dataclass

_METHOD_ENDINGS = (
    "方法", "工艺", "工法", "方式", "流程", "过程", "应用", "用途", "步骤", "技术", "策略",
    "算法",
)  # fmt: skip
_PRODUCT_ENDINGS = (
    "装置", "系统", "设备", "材料", "结构", "组件", "机构", "合金", "纤维", "涂层", "涂料",
    "载体", "模组", "模块", "组合物", "化合物", "混合物", "聚合物", "氧化物", "催化剂", "终端",
    "服务器", "介质", "电池", "电路", "芯片", "薄膜", "仪器", "工具", "构件", "部件", "元件",
    "器件", "车辆", "平台", "支架", "模板", "模具", "配方", "染料", "塑料", "面料", "织物",
    "玻璃", "电缆", "载具", "制品", "产品", "物品", "壳体", "底盘", "客户端", "浆料", "复合板",
    "墨组", "晶型", "晶体", "机", "器", "剂", "仪", "泵", "阀", "膜", "管", "板", "片", "轮",
    "轴", "灯", "箱", "柜", "炉", "车", "罐", "盘", "液", "纸", "布", "床", "桩", "墙", "丝",
    "线", "网", "垫", "袋", "杆", "梯", "锚", "钻头", "量子点", "热管", "冰箱", "汽车", "门窗",
    "钢轨", "建材", "型材", "预制件", "盖", "层",
)  # fmt: skip
# Words that say only the category: they take the name from what stands before them.
_BARE_PRODUCTS = ("装置", "系统", "设备", "终端", "电路", "仪器", "工具")
# Verbs of a procedure. A part that is only such a verb and 方法 is about the product before it.
_VERBS = (
    "制备", "制造", "制作", "生产", "加工", "施工", "使用", "应用", "成型", "成形", "控制",
    "检测", "处理", "安装", "合成", "工作", "操作", "运行", "装配", "组装", "涂布", "印刷",
    "染色", "涂染", "抛光", "提取", "纯化", "回收", "培养", "栽培", "种植", "测试", "测量",
    "监测", "洗衣", "协同工作", "驱动", "调节", "诊断", "校准", "识别", "配置", "漂白", "烧结",
    "铸造", "锻造", "焊接", "形成",
)  # fmt: skip
_VERB_WITH_METHOD = re.compile(
    rf"(?:{'|'.join(_VERBS)})(?:方法|工艺|工法|过程|流程|技术)?$|(?:方法|工艺|工法|流程)$"
)
_OPENING = ("用于", "适用于", "应用于", "基于", "具有", "含有", "包含", "包括", "采用", "使用")
_USES = ("应用", "用途")
_SEPARATOR = re.compile(r"以及|及其|和其|与其|、其|或其|及|、|和|与")
# What the scan of a printed publication leaves before a title.
_PAGE_COUNTS = re.compile(r"^权利要求书\d+页说明书\d+页(?:附图\d+页)?")


@dataclass(frozen=True)
class TitleSubjects:
    """The names that the title gives, without 一种; "" where it names none of that category.

    `first` is the category that the title names first.
    """

    product: str
    method: str
    first: str

    @property
    def categories(self) -> list[str]:
        """What the title announces, in its own order; never empty."""
        named = [kind for kind in ("product", "method") if getattr(self, kind)]
        return sorted(named, key=lambda kind: kind != self.first)


def read_title(title: str) -> TitleSubjects:
    """The product and the method that a title names. An empty title names the product 装置."""
    name = clean_title(title) or "装置"
    parts = _complete_names(_split(name))
    product = next((part for part in parts if category_of(part) == "product"), "")
    methods = [part for part in parts if category_of(part) == "method"]
    # X及其应用 announces no procedure: a use is the subject only where nothing else is.
    procedures = [part for part in methods if not part.endswith(_USES)]
    method = next(iter(procedures or ([] if product else methods)), "")
    return TitleSubjects(product, method, category_of(parts[0]) if method else "product")


def clean_title(title: str) -> str:
    """A title without 一种, without punctuation around it, and only its last sentence."""
    text = re.sub(r"\s+", "", title).strip("。；，、：《》“”\"'")
    text = _PAGE_COUNTS.sub("", text.rsplit("。", 1)[-1])
    return re.sub(r"^(?:发明名称[：:]?)?(?:一种|一类|一系列)", "", text)


def with_clear_category(name: str) -> str:
    """A subject says that it is a method (P2C2§3.2.2): …处理技术 and …处理方案 are …处理方法."""
    return re.sub(r"(?:技术|方案|策略)$", "方法", name)


def category_of(name: str) -> str:
    return "method" if name.endswith(_METHOD_ENDINGS) else "product"


def other_category(subjects: TitleSubjects, category: str) -> str:
    """A name for a category that the title does not announce, made from the one that it does."""
    if category == "method":
        device = ("装置", "系统", "设备", "机", "器", "结构", "机构", "组件", "终端", "平台")
        verb = "使用" if subjects.product.endswith(device) else "制备"
        return f"{subjects.product}的{verb}方法"
    method = subjects.method
    made = re.fullmatch(r"(.+?)的?(?:制备|制造|制作|生产|合成)(?:方法|工艺)", method)
    if made:
        return made.group(1)
    stem = re.sub(r"(?:方法|工艺|工法|方式|流程|过程|技术|步骤|策略|算法)$", "", method)
    return f"{stem}装置" if stem != method else f"{re.sub('的?(?:应用|用途)$', '', method)}"


def _split(name: str) -> list[str]:
    """The parts of a title, with 其 in front where it refers back to the part before."""
    parts = [""]
    position = 0
    for match in _SEPARATOR.finditer(name):
        if match.start() < position:
            continue
        left, right = parts[-1] + name[position : match.start()], name[match.end() :]
        word = match.group()
        position = match.end()
        if _separates(left, word, right):
            parts[-1] = left
            parts.append("其" if word.endswith("其") else "")
        else:
            parts[-1] = left + word
    parts[-1] += name[position:]
    return [part for part in parts if part]


def _separates(left: str, word: str, right: str) -> bool:
    """Whether `word` joins two subjects here, and not two words inside one name."""
    upcoming = _SEPARATOR.split(right, maxsplit=1)[0]
    if word.endswith("其"):
        # 其包覆的电极材料 is a further product, 其制备方法 the method: both are subjects.
        return bool(left)
    named = _reads_as_subject(left)
    if word in ("及", "以及"):
        return named or bool(_VERB_WITH_METHOD.match(upcoming)) or upcoming in _BARE_PRODUCTS
    if upcoming.endswith("方法") and _VERB_WITH_METHOD.match(upcoming):
        return True
    if left.endswith(("方法", "工艺")):
        return named
    return named and _reads_as_subject(upcoming)


def _reads_as_subject(text: str) -> bool:
    text = text.removeprefix("其")
    if text in _BARE_PRODUCTS or _VERB_WITH_METHOD.match(text):
        return True
    if text.startswith(_OPENING) and "的" not in text:
        return False  # 用于聚酰胺酯纤维 still waits for its noun
    return len(text) > 1 and text.endswith(_METHOD_ENDINGS + _PRODUCT_ENDINGS)


def _complete_names(parts: list[str]) -> list[str]:
    """Gives each part the name that it leaves out: 其制备方法 → X的制备方法, 装置 → …识别装置."""
    names = [re.sub(r"^[其该](?=.)", "", parts[0])]
    for part in parts[1:]:
        back = part.startswith("其")
        bare = re.sub(r"^(?:其|该|相关|一种|一系列)(?=.)", "", part).replace("用于该", "用于")
        names.append(_referring_back(names[0], bare) if back else _completed(names[0], bare))
    return names


def _referring_back(name: str, part: str) -> str:
    """What 其… is in full; 其制备的气凝胶 is a product of its own: 气凝胶."""
    if part in _BARE_PRODUCTS and category_of(name) == "method":
        return _with_category(name, part)
    if category_of(part) == "product" and part not in _VERBS and "的" in part:
        return part.rsplit("的", 1)[1]
    return _about(name, part)


def _completed(name: str, part: str) -> str:
    if part == "方法":
        return _method_of(name)
    if part in _BARE_PRODUCTS:
        return _with_category(name, part)
    shared = _shared_verb(name, part)
    if shared:
        return shared + part
    return _about(name, part) if _VERB_WITH_METHOD.match(part) else part


def _about(name: str, procedure: str) -> str:
    """X and 制备 → X的制备方法; X的制备方法 and 应用 → X的应用."""
    if procedure in _VERBS and procedure not in _USES:
        procedure += "方法"
    owner = re.sub(rf"的?(?:{'|'.join(_VERBS)})(?:方法|工艺)$", "", name)
    return f"{owner or name}的{procedure}"


def _with_category(name: str, category: str) -> str:
    """设备维护方法 and 装置 → 设备维护装置; 电热水器 and 系统 → 电热水器系统."""
    return re.sub(r"(?:方法|工艺|方式|流程|过程)$", "", name) + category


def _method_of(name: str) -> str:
    """性能测试装置 and 方法 → 性能测试方法; 合成氮化铝粉末装置 and 方法 → 合成氮化铝粉末的方法."""
    stem = re.sub(r"(?:装置|系统|设备|组件|终端|机构|结构)$", "", name)
    return f"{stem}方法" if stem.endswith(_VERBS) else f"{stem or name}的方法"


def _shared_verb(name: str, part: str) -> str:
    """光伏天窗的控制方法 and 控制装置 → 光伏天窗的; "" where the part names itself."""
    place = name.find(part[:2])
    short = len(part) <= 6 and (part.endswith(_METHOD_ENDINGS) or part[2:] in _BARE_PRODUCTS)
    return name[:place] if short and place > 0 else ""
