import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("ar");

/** "فيديو واحد", "فيديوهان", "3 فيديوهات", "11 فيديو". */
const videos = (count: number) =>
  plural(count, { one: "فيديو واحد", two: "فيديوهين", few: `${count} فيديوهات`, other: `${count} فيديو` });
/** "رابط واحد", "رابطين", "3 روابط", "20 رابطًا". */
const links = (count: number) =>
  plural(count, { one: "رابط واحد", two: "رابطين", few: `${count} روابط`, many: `${count} رابطًا`, other: `${count} رابط` });

export const ar = {
  errors: {
    invalid_link: "يُرجى إدخال رابط YouTube صالح",
    unsupported_host: "يقود هذا الرابط إلى موقع لا يفتحه Tapedeck. جرّب رابطًا من موقع مدعوم.",
    unavailable: "لم يعد هناك فيديو على هذا الرابط. تحقّق من الرابط وحاول مرة أخرى.",
    private: "هذا الفيديو خاص. اطلب من صاحبه أن يجعله عامًا ثم أعد المحاولة.",
    login_required: "لا يمكن مشاهدة هذا الفيديو إلا بعد تسجيل الدخول في موقعه، لذلك لا يمكن تحويله.",
    geo_blocked: "هذا الفيديو غير متاح في البلد الذي يوجد فيه خادمنا.",
    live: "هذا بث مباشر. عُد عندما ينتهي.",
    playlist: "هذا الرابط قائمة فيديوهات. افتح واحدًا منها والصق رابطه الخاص.",
    too_long: "هذا الفيديو أطول مما تسمح به خطتك.",
    too_large: "حجم هذا الفيديو أكبر مما تسمح به خطتك.",
    site_blocked: "يرفض موقع الفيديو طلباتنا حاليًا. أعد المحاولة بعد بضع دقائق.",
    network: "انقطع الاتصال بموقع الفيديو. أعد المحاولة بعد لحظات.",
    timeout: "توقّف موقع الفيديو عن الإرسال. أعد المحاولة بعد لحظات.",
    storage: "لا توجد مساحة لحفظ الملف حاليًا. أعد المحاولة بعد بضع دقائق.",
    internal: "حدث خطأ من جانبنا. أعد المحاولة، وتواصل معنا إذا تكرّر ذلك.",
    bad_request: "تعذّرت قراءة الطلب. أعد تحميل الصفحة وحاول مرة أخرى.",
    bad_origin: "لم يأتِ الطلب من هذا الموقع. أعد تحميل الصفحة وحاول مرة أخرى.",
    sign_in_required: "يُرجى تسجيل الدخول أولًا.",
    pro_required: "هذا يتطلب Pro.",
    not_found: "لم يعد هذا التحويل موجودًا.",
    conflict: "تغيّر التحويل في هذه الأثناء. أعد تحميل الصفحة لترى حالته.",
    payload_too_large: "الطلب كبير جدًا.",
    rate_limited: "طلبات كثيرة جدًا. انتظر لحظة وحاول مرة أخرى.",
    unavailable_now: "الخدمة قيد التشغيل أو الإيقاف. حاول مرة أخرى بعد بضع ثوانٍ.",
  },

  titles: { login: "دخول Pro", dashboard: "لوحة التحكم", pro: "Pro", notFound: "404 الصفحة غير موجودة", help: "المساعدة", contact: "اتصل بنا", privacy: "سياسة الخصوصية", terms: "شروط الخدمة" },
  descriptions: {
    home: "الصق رابط فيديو واحصل على ملف MP3 أو MP4 مع عرض التقدّم مباشرة. لا حاجة إلى حساب.",
    login: "سجّل الدخول إلى Tapedeck Pro: جودة أعلى ومقاطع أطول وعشرون رابطًا دفعة واحدة وبلا إعلانات.",
  },

  nav: {
    sections: "الأقسام",
    converter: "المحوّل",
    pricing: "الأسعار",
    proUser: "مستخدم Pro",
    freeUser: "مستخدم مجاني",
    dashboard: "لوحة التحكم",
    logout: "تسجيل الخروج",
    login: "دخول Pro",
    upgrade: "الترقية إلى Pro",
  },

  footer: { help: "المساعدة", contact: "اتصل بنا", privacy: "الخصوصية", terms: "الشروط", language: "اللغة", colors: { label: "الألوان", system: "حسب النظام", light: "فاتح", dark: "داكن" }, skip: "انتقل إلى المحتوى" },

  debug: {
    title: "التشخيص",
    device: (id: string) => `الجهاز ${id}`,
    auth: (isSignedIn: boolean) => `تسجيل الدخول: ${isSignedIn ? "نعم" : "لا"}`,
    user: (id: string | null) => `المستخدم ${id ?? "مجهول"}`,
  },

  ads: {
    mark: "إعلان",
    names: { header: "إعلان أعلى الصفحة", leaderboard: "إعلان وسط الصفحة", footer: "إعلان أسفل الصفحة" },
    header: "استمع إلى ما تحتفظ به: سماعات استوديو بخصم 20٪ هذا الأسبوع.",
    leaderboard: "موسيقاك تستحق أفضل من مكبّرات الحاسوب المحمول. سماعات استوديو مغلقة بخصم 20٪ هذا الأسبوع.",
    footer: "صُنعت للأمسيات الطويلة: سماعات تنسى أنك ترتديها.",
  },

  failure: {
    title: "توقّفت هذه الصفحة عن العمل",
    text: "تحويلاتك في أمان وتستمر من دونها. أعد تحميل الصفحة لتراها.",
    reload: "إعادة تحميل الصفحة",
  },

  toasts: {
    region: (hotkey: string) => `الإشعارات (${hotkey})`,
    dismiss: "إغلاق",
    languageFailed: { title: "لم تتغيّر اللغة", description: "تعذّر تحميلها. تحقّق من الاتصال وحاول مرة أخرى." },
  },

  home: {
    title: { first: "الصق رابطًا.", second: "واحتفظ بالشريط." },
    lead: "ملف MP3 أو MP4 من رابط فيديو، مع شريط تقدّم يقول الحقيقة. لا حاجة إلى حساب.",
    usual: (span: string) => `الوقت المعتاد: ${span}`,
  },

  notFound: {
    title: "404 الصفحة غير موجودة",
    text: "لا يوجد شريط في هذا الجهاز. المحوّل حيث تركته.",
    back: "العودة إلى المحوّل",
  },

  login: {
    title: "دخول مستخدمي Pro",
    text: "تسجّل الدخول عبر خدمة الدخول الخاصة بنا. لا توجد كلمة مرور تكتبها هنا.",
    notSetUp: "تسجيل الدخول غير مُعدّ على هذا الخادم.",
    password: "كلمة المرور",
    passwordHint: "غير مطلوبة هنا",
    signIn: "الدخول كمستخدم Pro",
    signingIn: "جارٍ تسجيل الدخول…",
    back: "العودة إلى الصفحة الرئيسية",
    errors: {
      unavailable: "لا يمكن الوصول إلى خدمة الدخول حاليًا. حاول مرة أخرى بعد بضع دقائق.",
      refused: "رُفض تسجيل الدخول أو أُلغي. حاول مرة أخرى إن لم يكن ذلك قصدك.",
      expired: "استغرق تسجيل الدخول وقتًا طويلًا. ابدأ من جديد وسينجح.",
      invalid: "لم يكن رد خدمة الدخول موثوقًا، لذلك لم يُسجَّل دخول أحد. حاول مرة أخرى.",
      rate_limited: "محاولات دخول كثيرة في وقت قصير. انتظر دقيقة وحاول مرة أخرى.",
    },
  },

  converter: {
    name: "المحوّل",
    mode: "الوضع",
    single: "رابط واحد",
    batch: "دفعة",
    format: "الصيغة",
    link: "رابط الفيديو",
    linkHint: "الصق رابط فيديو",
    links: "روابط الفيديو، رابط في كل سطر",
    linksHint: "الصق روابط الفيديو، رابطًا في كل سطر",
    paste: "لصق",
    cancel: "إلغاء",
    convert: "تحويل",
    convertAll: "تحويل الكل",
    starting: "جارٍ البدء…",
    trySample: "جرّب رابطًا تجريبيًا",
    proMakesIt: (quality: string) => `مع Pro تصبح ${quality}`,
    found: (found: number, most: number) => `${found} من ${most}`,
    pasted: (count: number) => `لصقت ${links(count)}.`,
    isBatchNow: "كل رابط الآن سطر في هذه الدفعة.",
    firstKept: (count: number, most: number) => `الأول من ${links(count)} موجود في الحقل. مع Pro يمكنك إدخال ما يصل إلى ${links(most)} دفعة واحدة.`,
    dropHere: "أفلت الرابط هنا",
    preview: {
      name: "معاينة",
      hint: "الصق رابطًا في أي مكان من هذه الصفحة أو أفلته فيها، وسترى هنا إلى أين يقود.",
      loading: "جارٍ الاطلاع على الرابط",
      announce: (title: string, length: string) => `${title}، المدة ${length}.`,
      about: (size: string) => `نحو ${size}`,
      sizeUnknown: "الحجم غير معروف",
      doesNotFit: "هذا يتجاوز ما تسمح به خطتك.",
      failed: "تتعذّر معاينة هذا الرابط مسبقًا، لكن قد ينجح تحويله.",
    },
    refusedLines: "الأسطر المرفوضة",
    refused: (count: number) =>
      plural(count, {
        one: "لم يبدأ سطر واحد",
        two: "لم يبدأ سطران",
        few: `لم تبدأ ${count} أسطر`,
        many: `لم يبدأ ${count} سطرًا`,
        other: `لم يبدأ ${count} سطر`,
      }),
    editRefused: "تعديلها",
    line: (line: number) => `السطر ${line}: `,
    problems: {
      empty: "يُرجى إدخال رابط YouTube",
      unknown: "يُرجى إدخال رابط YouTube صالح",
      noLinks: "يُرجى إدخال رابط YouTube صالح واحد على الأقل",
      tooMany: (most: number) => `يمكن لمستخدمي Pro تحويل ما يصل إلى ${links(most)} دفعة واحدة`,
    },
    notices: {
      invalid: "رابط غير صالح",
      noLinks: "لا توجد روابط صالحة",
      tooMany: "روابط كثيرة جدًا",
      started: { title: "بدأ التحويل", description: "أُضيف الفيديو إلى قائمة الانتظار!" },
      failed: { title: "فشل التحويل", description: "تعذّر بدء التحويل" },
      canceled: { title: "أُلغي التحويل", description: "أُلغي تحويل الرابط" },
      batchStarted: { title: "بدأت الدفعة", description: (count: number) => `جارٍ تحويل ${videos(count)}` },
      batchFailed: { title: "فشلت الدفعة", description: "تعذّر بدء تحويل الدفعة" },
      nothingPasted: { title: "لم يُلصق شيء", description: "اضغط Ctrl+V (أو ⌘V على Mac) للصق الرابط." },
    },
  },

  queue: {
    title: "قائمة الانتظار",
    list: "التحويلات",
    reconnecting: "جارٍ إعادة الاتصال…",
    working: (count: number) => `${count} قيد التنفيذ`,
    waiting: (count: number) => `${count} في الانتظار`,
    showAll: (count: number) => `عرض الكل (${count})`,
    empty: { title: "لا شيء هنا بعد", text: "الصق رابطًا في الأعلى وشاهده يتحوّل إلى ملف." },
    loading: "جارٍ تحميل تحويلاتك",
    unreachable: {
      title: "تعذّر تحميل تحويلاتك",
      text: "هي في أمان على الخادم. نواصل المحاولة.",
      retry: "إعادة المحاولة",
    },
    notify: {
      label: "أعلمني عند انتهاء التحويل",
      blocked: "لا يسمح المتصفح لهذا الموقع بإرسال الإشعارات. يمكن تغيير ذلك في إعدادات الموقع.",
    },
    announce: {
      started: (title: string) => `${title}: بدأ التحويل.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      ended: (title: string, outcome: string) => `${title}: انتهى، ${outcome}.`,
      ready: (title: string) => `${title}: جاهز للتنزيل.`,
      failed: (title: string, reason: string) => `${title}: فشل. ${reason}`,
    },
  },

  network: {
    offline: "غير متصل",
    kept: {
      list: "طلبات تنتظر الاتصال",
      waiting: "في انتظار الاتصال",
      takeBack: "سحب الطلب",
      takeBackOf: (title: string) => `سحب طلب ${title}`,
      batch: (count: number) => plural(count, { zero: `دفعة من ${count} رابط`, one: `دفعة من رابط واحد (${count})`, two: `دفعة من رابطين (${count})`, few: `دفعة من ${count} روابط`, many: `دفعة من ${count} رابطًا`, other: `دفعة من ${count} رابط` }),
    },
    away: { title: "أنت غير متصل", text: "تحويلاتك محفوظة على الخادم. أي رابط تلصقه الآن يُحفظ ويُرسل عند عودة الاتصال." },
    notices: {
      kept: { title: "في انتظار الاتصال", description: "حُفظ طلبك وسيُرسل مرة واحدة عند عودة الاتصال." },
      expired: { title: "لم يُرسل", description: "انتظر أحد الطلبات الاتصال أكثر من يوم فأُلغي. ابدأه من جديد إن كنت ما زلت تحتاج إليه." },
      full: "هناك طلبات كثيرة تنتظر الاتصال بالفعل.",
    },
  },

  job: {
    waiting: "في الانتظار",
    failed: "فشل",
    canceled: "أُلغي",
    expired: "انتهت الصلاحية",
    expires: (when: string) => `تنتهي الصلاحية ${when}`,
    attempt: (attempt: number) => `المحاولة ${attempt}`,
    stages: { download: "جارٍ التنزيل", convert: "جارٍ التحويل", store: "جارٍ الحفظ" },
    progress: (title: string) => `تقدّم ${title}`,
    download: "تنزيل",
    downloadOf: (title: string) => `تنزيل ${title}`,
    cancel: "إلغاء",
    cancelOf: (title: string) => `إلغاء ${title}`,
    remove: "إزالة",
    removeOf: (title: string) => `إزالة ${title}`,
    retry: "إعادة",
    retryOf: (title: string) => `إعادة محاولة ${title}`,
    notices: {
      cancelFailed: { title: "فشل الإلغاء", description: "تعذّر إلغاء التحويل" },
      removeFailed: { title: "فشلت الإزالة", description: "تعذّرت إزالة التحويل" },
      retryFailed: { title: "فشلت إعادة المحاولة", description: "تعذّرت إعادة محاولة التحويل" },
    },
  },

  batch: {
    name: (count: number) => `دفعة من ${videos(count)}`,
    list: "تحويلات هذه الدفعة",
    progress: "تقدّم الدفعة",
    cancelAll: "إلغاء الكل",
    retryFailed: "إعادة ما فشل",
    downloadAll: "تنزيل الكل",
    done: (count: number) => `${count} مكتمل`,
    failed: (count: number) => `${count} فاشل`,
    canceled: (count: number) => `${count} ملغى`,
    working: (count: number) => `${count} قيد التنفيذ`,
    waiting: (count: number) => `${count} في الانتظار`,
  },

  figures: {
    percent: (percent: string) => `${percent}٪`,
    secondsLeft: (seconds: string) => `بقي ${seconds} ث`,
    minutesLeft: (minutes: string) => `بقي ${minutes} د`,
    hoursLeft: (hours: string) => `بقي ${hours} س`,
    hoursAndMinutesLeft: (hours: string, minutes: string) => `بقي ${hours} س ${minutes} د`,
    unknown: "غير معروف",
  },

  pricing: {
    title: "الأسعار",
    free: { name: "مجاني", remark: "لا حاجة إلى حساب" },
    pro: { name: "Pro", remark: "ألغِ متى شئت" },
    perMonth: (yearly: string, saving: string) => `شهريًا، أو ${yearly} سنويًا (توفّر ${saving})`,
    yours: "هذه خطتك",
    upgrade: "الترقية إلى Pro",
    qualities: (mp3: string, mp4: string) => `${mp3}، ${mp4}`,
    limits: (span: string, size: string) => `حتى ${span} و${size}`,
    limitsWithBatch: (span: string, size: string, count: number) => `حتى ${span} و${size}، ${links(count)} دفعة واحدة`,
    kept: (span: string) => `تُحفظ الملفات لمدة ${span}`,
    keptFirstInQueue: (span: string) => `أولوية في الانتظار، بلا إعلانات، تُحفظ الملفات لمدة ${span}`,
  },

  account: {
    welcome: (name: string) => `مرحبًا، ${name}`,
    converter: "المحوّل",
    logout: "تسجيل الخروج",
    totalConversions: "إجمالي التحويلات",
    dataUsed: "البيانات المستخدمة",
    thisMonth: "هذا الشهر",
    status: "حالة الحساب",
    tiers: { free: "مجاني", pro: "Pro" },
    recent: "أحدث التحويلات",
    none: "لا توجد تحويلات بعد",
    start: "ابدأ التحويل",
    badges: { waiting: "في الانتظار", processing: "قيد التنفيذ", completed: "مكتمل", failed: "فشل", canceled: "أُلغي" },
    title: "الحساب",
    export: "تصدير بياناتي",
    signOutEverywhere: "تسجيل الخروج من كل مكان",
    delete: "حذف الحساب",
    deleteExplained: {
      before: "تُحذف ملفاتك فورًا، وتنتهي جلسات دخولك، ويُزال ما هو محفوظ عنك خلال 30 يومًا. اكتب",
      after: "للتأكيد.",
    },
    deleteForGood: "حذف حسابي",
    keep: "الاحتفاظ به",
    loading: "جارٍ تحميل حسابك",
    unreachable: { title: "تعذّر تحميل هذه الصفحة", text: "لم يضع شيء. نواصل المحاولة.", retry: "إعادة المحاولة" },
    notices: {
      signOutFailed: { title: "فشل تسجيل الخروج", description: "تعذّر تسجيل الخروج من كل مكان" },
      deletionFailed: { title: "فشل الحذف", description: "تعذّر حذف الحساب" },
    },
  },

  pro: {
    member: "عضو Pro",
    features: "مزايا Pro",
    everything: "كل شيء",
    unlimited: "تحويلات غير محدودة",
    batchOf: (count: number) => `دفعات من ${links(count)}`,
    hd: (mp4: string, mp3: string) => `HD ${mp4}/${mp3}`,
    storage: (days: number) => plural(days, { one: "حفظ ليوم واحد", two: "حفظ ليومين", few: `حفظ لمدة ${days} أيام`, other: `حفظ لمدة ${days} يومًا` }),
    fileLimit: (megabytes: number) => `ملفات حتى ${megabytes} ميغابايت`,
    monthlyLimit: (megabytes: number) => `حد شهري ${megabytes} ميغابايت`,
    completed: (count: number) => `${count} مكتمل`,
    active: (count: number) => `${count} قيد التنفيذ أو الانتظار`,
    dataUsage: "استخدام البيانات",
  },
} satisfies Texts;
