import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("ar");

/** "فيديو واحد", "فيديوهان", "3 فيديوهات", "11 فيديو". */
const videos = (count: number) =>
  plural(count, { one: "فيديو واحد", two: "فيديوهين", few: `${count} فيديوهات`, other: `${count} فيديو` });
/** "رابط واحد", "رابطين", "3 روابط", "20 رابطًا". */
const links = (count: number) =>
  plural(count, {
    one: "رابط واحد",
    two: "رابطين",
    few: `${count} روابط`,
    many: `${count} رابطًا`,
    other: `${count} رابط`,
  });

const ACCESS_BLOCKED = "حظر مشغّل هذا الموقع شبكتك أو متصفّحك أو حسابك. إذا كنت تظن أن هذا خطأ، فتواصل معنا.";

/** A further sentence about a limit; none where Pro allows no more. */
const upToWithPro = (most: string | null) => (most === null ? "" : ` يقبل Pro حتى ${most}.`);

export const ar = {
  errors: {
    invalid_link: "يُرجى إدخال رابط YouTube صالح",
    unsupported_host: "يقود هذا الرابط إلى موقع لا يفتحه Tapedeck. جرّب رابطًا من موقع مدعوم.",
    unavailable: "لم يعد هناك فيديو على هذا الرابط. تحقّق من الرابط وحاول مرة أخرى.",
    private: "هذا الفيديو خاص. اطلب من صاحبه أن يجعله عامًا ثم الصق الرابط من جديد.",
    members_only: "هذا الفيديو مخصّص لأعضاء قناته المشتركين بمقابل فقط، لذلك لا يمكن تحويله.",
    login_required: "لا يمكن مشاهدة هذا الفيديو إلا بعد تسجيل الدخول في موقعه، لذلك لا يمكن تحويله.",
    geo_blocked: "هذا الفيديو غير متاح في البلد الذي يوجد فيه خادمنا.",
    live: "هذا بث مباشر. عُد عندما ينتهي.",
    playlist: "هذا الرابط قائمة فيديوهات. الصقه وحده في الصفحة الرئيسية لتختار منها، أو الصق رابط أحد الفيديوهات.",
    too_long: "هذا الفيديو أطول مما تسمح به خطتك.",
    too_large: "حجم هذا الفيديو أكبر مما تسمح به خطتك.",
    part_outside: "يبدأ هذا المقطع بعد نهاية الفيديو. اختر بداية أبكر.",
    no_subtitles: "لا توجد ترجمة مكتوبة بهذه اللغة لهذا الفيديو. اختر لغة أخرى أو لا تختر أي لغة.",
    no_chapters: "لا توجد فصول في هذا الفيديو. حوّله إلى ملف واحد.",
    site_blocked: "يرفض موقع الفيديو طلباتنا حاليًا. أعد المحاولة بعد بضع دقائق.",
    site_changed: "تغيّر موقع الفيديو وعلينا أن نلحق به. نحن على علم بذلك: أعد المحاولة بعد بضع ساعات.",
    busy: "يطلب منا موقع الفيديو الانتظار. أعد المحاولة لاحقًا.",
    network: "انقطع الاتصال بموقع الفيديو. أعد المحاولة بعد لحظات.",
    timeout: "توقّف موقع الفيديو عن الإرسال. أعد المحاولة بعد لحظات.",
    storage: "لا توجد مساحة لحفظ الملف حاليًا. أعد المحاولة بعد بضع دقائق.",
    blocked: "حظر مشغّل هذا الموقع هذا الفيديو أو المكان الذي يأتي منه. إذا كنت تظن أن هذا خطأ، فتواصل معنا.",
    internal: "حدث خطأ من جانبنا. أعد المحاولة، وتواصل معنا إذا تكرّر ذلك.",
    bad_request: "تعذّرت قراءة الطلب. أعد تحميل الصفحة وحاول مرة أخرى.",
    bad_origin: "لم يأتِ الطلب من هذا الموقع. أعد تحميل الصفحة وحاول مرة أخرى.",
    sign_in_required: "يُرجى تسجيل الدخول أولًا.",
    fresh_sign_in_required: "يُرجى تسجيل الدخول مرة أخرى أولًا لنتأكد من أنك أنت.",
    invalid_token: "لم يعد هذا الرمز صالحًا. أنشئ رمزًا جديدًا في لوحتك.",
    missing_scope: "هذا الرمز لا يسمح بذلك. أنشئ في لوحتك رمزًا يسمح به.",
    pro_required: "هذا يتطلب Pro.",
    not_found: "لم يعد هذا التحويل موجودًا.",
    conflict: "تغيّر التحويل في هذه الأثناء. أعد تحميل الصفحة لترى حالته.",
    payload_too_large: "الطلب كبير جدًا.",
    rate_limited: "طلبات كثيرة جدًا. انتظر لحظة وحاول مرة أخرى.",
    network_busy:
      "هناك عدد كبير جدًا من التحويلات أو التنزيلات أو الصفحات المفتوحة من شبكتك. حاول مرة أخرى عندما ينتهي بعضها.",
    queue_full: "تحويلات كثيرة جدًا في الانتظار الآن. حاول مرة أخرى بعد بضع دقائق.",
    access_blocked: ACCESS_BLOCKED,
    unavailable_now: "لا يمكن للخدمة الرد الآن. حاول مرة أخرى بعد بضع ثوانٍ.",
    payment_unconfigured: "لم يُعدّ الدفع على هذا الخادم.",
    already_subscribed: "لديك اشتراك بالفعل.",
    payment_provider: "تعذّر الوصول إلى خدمة الدفع حاليًا. حاول مرة أخرى بعد بضع دقائق.",
    message_not_sent: "تعذّر إرسال رسالتك. اكتب بدلًا من ذلك إلى العنوان الموجود في صفحة الاتصال.",
  },

  exactErrors: {
    no_sound: "لا يحتوي هذا الفيديو على صوت لإنشاء ملف MP3 منه.",
    no_such_sound: "لم يعد في هذا الفيديو صوت بتلك اللغة. اختر لغة أخرى.",
    no_subtitles_at_all: "ليس في هذا الفيديو ترجمة مكتوبة، فلا يمكن استخراج نصه.",
    no_text_in_part: "لا توجد ترجمة مكتوبة في هذا الجزء. اختر جزءًا آخر.",
    subtitles_not_given: "لدى موقع الفيديو ترجمة مكتوبة لهذا الفيديو، لكنه لم يعطنا إياها. أعد المحاولة بعد بضع دقائق.",
    not_readable: "لا يقود هذا الرابط إلى فيديو يمكن قراءته.",
    picture_only: "يقود هذا الرابط إلى صورة لا إلى فيديو.",
    sound_not_readable: "صوت هذا الفيديو بصيغة لا يمكن قراءتها هنا بعد، مثل xHE-AAC.",
    music_premium: "هذه الأغنية مخصّصة لمشتركي Music Premium فقط، لذلك لا يمكن تحويلها.",
    paid_video: "هذا الفيديو مدفوع في موقعه، لذلك لا يمكن تحويله.",
    restricted_mode: "يحجب موقع الفيديو هذا الفيديو عن شبكة خادمنا، لذلك لا يمكن تحويله.",
    removed_for_copyright: "أُزيل هذا الفيديو بعد مطالبة بحقوق النشر.",
    live_just_ended: "انتهى هذا البث المباشر للتو، وما زال موقعه يُعدّ التسجيل. أعد المحاولة بعد بضع ساعات.",
    still_processing: "ما زال موقع الفيديو يُعدّ هذا الفيديو. أعد المحاولة بعد ساعة.",
    script_not_run:
      "لم نتمكن من تشغيل نص موقع الفيديو البرمجي الذي قد يحتاجه هذا الفيديو. الخطأ من عندنا: أعد المحاولة لاحقًا.",
    long_advertisement: "يريد موقع الفيديو عرض إعلانات قبل هذا الفيديو لمدة أطول مما ننتظر. أعد المحاولة لاحقًا.",
    owner_blocked: ACCESS_BLOCKED,
    too_large_to_open: "ما يقود إليه هذا الرابط أكبر من أن يُفتح.",
    too_many_pieces: "يأتي هذا الفيديو في أجزاء أكثر مما يمكن جلبه.",
    needs_too_much_memory: "يحتاج تحويل هذا الفيديو إلى ذاكرة أكبر مما لدينا.",
    took_too_long: "استغرق تحويل هذا الفيديو وقتًا أطول من اللازم.",
    leads_nowhere: "ينتقل هذا الرابط من عنوان إلى آخر ولا يصل إلى فيديو. تحقق من الرابط وأعد المحاولة.",
    stopped_too_often: "توقف خادمنا ثلاث مرات أثناء العمل على هذا الفيديو. تواصل معنا إذا كنت بحاجة إليه.",
    link_cut_off: "هذا الرابط مقطوع. انسخه مرة أخرى كاملًا.",
    mix: "يُعدّ YouTube كل مزيج لزائر واحد. الصق رابط أحد فيديوهاته.",
    live_embed: "يعرض هذا الرابط ما تبثه القناة مباشرة الآن. الصق رابط فيديو واحد.",
    search_page: "هذا الرابط عملية بحث. افتح أحد الفيديوهات التي ظهرت وانسخ رابطه.",
    no_video_page: "يقود هذا الرابط إلى صفحة ليس لها فيديو خاص بها. افتح الفيديو وانسخ رابطه.",
    empty_list: "لا يوجد فيديو في هذه القائمة.",
    listed_twice: "هذا الرابط مكرر في القائمة",
    no_valid_link: "يُرجى إدخال رابط YouTube صالح واحد على الأقل",
    file_gone: "لم يعد هذا الملف موجودًا. حوّل الرابط مرة أخرى للحصول على ملف جديد.",
    ended_before_cancel: "انتهى هذا التحويل للتو، فلم يبقَ ما يُلغى.",
    pro_granted: "لديك Pro بالفعل هديةً منا: لا شيء عليك دفعه.",
    pro_by_credit: "دفع رصيد حسابك ثمن Pro: إنه مفعّل، ولم يبقَ ما تدفعه.",
    payment_overdue: "لديك اشتراك فشلت دفعته الأخيرة. حدّث البطاقة من «إدارة الفوترة».",
    subscription_paused:
      "اشتراكك متوقف مؤقتًا: لا يُخصم شيء، وPro غير مفعّل. راسلنا على العنوان الموجود في صفحة الاتصال ليُستأنف.",
    payment_disputed:
      "استرد مصرفك دفعة من اشتراكك، لذلك Pro غير مفعّل حتى يُحسم الأمر. راسلنا على العنوان الموجود في صفحة الاتصال إن كان ذلك خطأ.",
    payment_confirming: "يجري تأكيد دفعتك. سيظهر Pro هنا بعد لحظات.",
    webhook_address: "يحتاج خطاف الويب إلى عنوان https على المنفذ المعتاد، من دون اسم مستخدم أو كلمة مرور فيه.",
  },

  reasons: {
    longer_than_plan: (most: string, proMost: string | null) =>
      proMost === null ? `أطول من ${most}، وهو أقصى ما يمكن تحويله.` : `أطول من ${most}. يقبل Pro حتى ${proMost}.`,
    result_too_large: (needed: string, most: string, proMost: string | null) =>
      `سيحتاج هذا الفيديو إلى ${needed} حتى بأدنى جودة، وخطتك تسمح بـ ${most}.${upToWithPro(proMost)}`,
    file_too_large: (needed: string, most: string, proMost: string | null) =>
      `سيحتاج هذا الملف إلى ${needed}، وخطتك تسمح بـ ${most}.${upToWithPro(proMost)}`,
    format_for_pro: (format: string) => `${format} متاح مع Pro فقط.`,
    chapter_files_for_pro: "ملف لكل فصل متاح مع Pro فقط.",
    starts_later: (when: string) => `يبدأ هذا الفيديو تقريبًا في ${when}. عُد عندما ينتهي.`,
    source_too_large: (source: string, most: string, proMost: string | null) =>
      `حجم هذا الفيديو في مصدره ${source}، وهو أكثر مما يُجلب لملف لا يتجاوز ${most}.${upToWithPro(proMost)}`,
    too_many_requests: (when: string) => `طلبات كثيرة جدًا. أعد المحاولة ${when}.`,
    too_many_active: (active: number, most: number) =>
      `عدد التحويلات الجارية لديك ${active}، والحد الأقصى في الوقت نفسه ${most}. انتظر حتى ينتهي أحدها.`,
  },

  titles: {
    login: "دخول Pro",
    dashboard: "لوحة التحكم",
    pro: "Pro",
    notFound: "404 الصفحة غير موجودة",
    help: "المساعدة",
    api: "API",
    contact: "اتصل بنا",
    operator: "التشغيل",
    privacy: "سياسة الخصوصية",
    terms: "شروط الخدمة",
    plans: "الخطط",
    subscribe: "الترقية إلى Pro",
  },
  descriptions: {
    home: "الصق رابط فيديو واحصل على ملف MP3 أو MP4 مع عرض التقدّم مباشرة. لا حاجة إلى حساب.",
    login: (count: number) =>
      `سجّل الدخول إلى Tapedeck Pro: جودة أعلى ومقاطع أطول و${links(count)} دفعة واحدة وبلا إعلانات.`,
    plans: (count: number) =>
      `Tapedeck Pro شهريًا أو سنويًا: جودة أعلى ومقاطع أطول و${links(count)} دفعة واحدة وبلا إعلانات. ألغِ متى شئت.`,
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
    proPage: "صفحة Pro",
    menu: "القائمة",
  },

  footer: {
    help: "المساعدة",
    contact: "اتصل بنا",
    privacy: "الخصوصية",
    terms: "الشروط",
    language: "اللغة",
    colors: { label: "الألوان", system: "حسب النظام", light: "فاتح", dark: "داكن" },
    skip: "انتقل إلى المحتوى",
    install: "تثبيت التطبيق",
  },

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
    offlineTitle: "ستظهر هذه الصفحة عندما يعود الاتصال",
    offlineText: "أنت غير متصل. ستُفتح حينها من تلقاء نفسها، وتستمر تحويلاتك من دونها.",
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
    failing: {
      youtube: {
        refusing: "يرفض YouTube طلباتنا حاليًا؛ تنتظر التحويلات وتبدأ من تلقاء نفسها.",
        changed: "تغيّر YouTube وتفشل معظم الروابط حاليًا. نحن على علم بذلك.",
      },
    },
  },

  notFound: {
    title: "404 الصفحة غير موجودة",
    text: "لا يوجد شريط في هذا الجهاز. المحوّل حيث تركته.",
    back: "العودة إلى المحوّل",
  },

  converter: {
    name: "المحوّل",
    mode: "الوضع",
    single: "رابط واحد",
    batch: "دفعة",
    format: "الصيغة",
    link: "رابط الفيديو",
    linkPlaceholder: "الصق رابط فيديو",
    links: "روابط الفيديو، رابط في كل سطر",
    linksPlaceholder: "الصق روابط الفيديو، رابطًا في كل سطر",
    paste: "لصق",
    cancel: "إلغاء",
    convert: "تحويل",
    convertAll: "تحويل الكل",
    starting: "جارٍ البدء…",
    trySample: "جرّب رابطًا تجريبيًا",
    proMakesIt: (quality: string) => `مع Pro تصبح ${quality}`,
    fast: "معالجة سريعة",
    found: (found: number, most: number) => `الروابط: ${found} من ${most}`,
    pasted: (count: number) => `لصقت ${links(count)}.`,
    isBatchNow: "كل رابط الآن سطر في هذه الدفعة.",
    firstKept: (count: number, most: number) =>
      `الأول من ${links(count)} موجود في الحقل. مع Pro يمكنك إدخال ما يصل إلى ${links(most)} دفعة واحدة.`,
    dropHere: "أفلت الرابط هنا",
    current: "أحدث تحويل",
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
      nothingPasted: {
        title: "لم يُلصق شيء",
        description: "اضغط Ctrl+V (أو ⌘V على Mac)؛ وعلى الهاتف اضغط مطولًا على الحقل واختر لصق.",
      },
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
    emptyRest: { title: "لا توجد تحويلات أخرى", text: "تظهر هنا عندما تبدأ التحويل التالي." },
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
    tone: "تشغيل نغمة عندما يجهز تحويل",
    autoDownload: "التنزيل تلقائيًا عندما يجهز تحويل",
    announce: {
      started: (title: string) => `${title}: بدأ التحويل.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      waits: (title: string, wait: string) => `${title}: ${wait}.`,
      ended: (title: string, outcome: string) => `${title}: انتهى، ${outcome}.`,
      ready: (title: string) => `${title}: جاهز للتنزيل.`,
      failed: (title: string, reason: string) => `${title}: فشل. ${reason}`,
    },
  },

  network: {
    offline: "غير متصل",
    updatedEvery: (seconds: number) => `يُحدَّث كل ${seconds} ث`,
    preview: "أنت غير متصل. اضغط «تحويل»: يُحفظ الرابط ويُرسل عند عودة الاتصال.",
    kept: {
      list: "طلبات تنتظر الاتصال",
      waiting: "في انتظار الاتصال",
      takeBack: "سحب الطلب",
      takeBackOf: (title: string) => `سحب طلب ${title}`,
      batch: (count: number) =>
        plural(count, {
          zero: `دفعة من ${count} رابط`,
          one: `دفعة من رابط واحد (${count})`,
          two: `دفعة من رابطين (${count})`,
          few: `دفعة من ${count} روابط`,
          many: `دفعة من ${count} رابطًا`,
          other: `دفعة من ${count} رابط`,
        }),
    },
    away: {
      title: "أنت غير متصل",
      text: "تحويلاتك محفوظة على الخادم. أي رابط تلصقه الآن يُحفظ ويُرسل عند عودة الاتصال.",
    },
    notices: {
      kept: { title: "في انتظار الاتصال", description: "حُفظ طلبك وسيُرسل مرة واحدة عند عودة الاتصال." },
      expired: {
        title: "لم يُرسل",
        description: "انتظر أحد الطلبات الاتصال أكثر من يوم فأُلغي. ابدأه من جديد إن كنت ما زلت تحتاج إليه.",
      },
      full: "هناك طلبات كثيرة تنتظر الاتصال بالفعل.",
    },
  },

  job: {
    waiting: "في الانتظار",
    ready: "جاهز",
    downloaded: "تم التنزيل ✓",
    failed: "فشل",
    canceled: "أُلغي",
    blocked: "أُزيل",
    expired: "انتهت الصلاحية",
    expires: (when: string) => `تنتهي الصلاحية ${when}`,
    siteWait: {
      later: (when: string) => `يطلب موقع الفيديو الانتظار؛ يُستأنف ${when}`,
      soon: "يطلب موقع الفيديو الانتظار؛ يُستأنف بعد لحظات",
    },
    catchingUp: {
      later: (when: string) => `تغيّر موقع الفيديو؛ يُستأنف ${when}`,
      soon: "تغيّر موقع الفيديو؛ يُستأنف بعد لحظات",
    },
    shortfalls: {
      site: (lines: string) => `${lines}: لم يقدّم الموقع أكثر`,
      site_within_plan: (lines: string) => `${lines}: لم يقدّم الموقع أكثر ضمن خطتك`,
      codec: (lines: string) => `${lines}: لم يقدّم الموقع أكثر إلا بصيغة فيديو أخرى`,
      file_size: (lines: string, size: string) => `${lines} كي لا يتجاوز الملف ${size}`,
    },
    interlaced: "صورة متشابكة: أطول من أن تُعالَج",
    sponsorsUnknown: "المقاطع الدعائية غير معروفة: بقيت كما هي",
    attempt: (attempt: number) => `المحاولة ${attempt}`,
    stages: { download: "جارٍ التنزيل", convert: "جارٍ التحويل", store: "جارٍ الحفظ" },
    early: "يمكن تشغيله الآن",
    offline: "دون اتصال: يستمر على الخادم",
    slower: "أبطأ من المتوقع",
    progress: (title: string) => `تقدّم ${title}`,
    download: "تنزيل",
    downloadOf: (title: string) => `تنزيل ${title}`,
    cancel: "إلغاء",
    cancelOf: (title: string) => `إلغاء ${title}`,
    remove: "إزالة",
    removeOf: (title: string) => `إزالة ${title}`,
    removed: (title: string) => `تمت الإزالة: ${title}`,
    undo: "تراجع",
    undoOf: (title: string) => `التراجع عن إزالة ${title}`,
    retry: "إعادة",
    retryOf: (title: string) => `إعادة محاولة ${title}`,
    notices: {
      cancelFailed: { title: "فشل الإلغاء", description: "تعذّر إلغاء التحويل" },
      removeFailed: { title: "فشلت الإزالة", description: "تعذّرت إزالة التحويل" },
      retryFailed: { title: "فشلت إعادة المحاولة", description: "تعذّرت إعادة محاولة التحويل" },
    },
  },

  waysOut: {
    asFormat: (format: string) => `بصيغة ${format}`,
    asFormatOf: (title: string, format: string) => `تحويل ${title} بصيغة ${format}`,
    takePart: "أخذ جزء",
    takePartOf: (title: string) => `أخذ جزء من ${title}`,
    chooseAgain: "اختيار من جديد",
    chooseAgainOf: (title: string) => `اختيار من جديد لـ ${title}`,
    convertAgain: "التحويل من جديد",
    convertAgainOf: (title: string) => `التحويل من جديد: ${title}`,
    beyondPro: (span: string) => `حتى مع Pro فالحد الأقصى ${span}.`,
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
    original: "أصلي",
    lossless: "بلا فقد",
    originalSound: "الصوت الأصلي",
    transcript: "نص مكتوب",
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
    limits: (span: string, size: string) => `حتى ${span} و${size}`,
    limitsWithBatch: (span: string, size: string, count: number) => `حتى ${span} و${size}، ${links(count)} دفعة واحدة`,
    kept: (span: string) => `تُحفظ الملفات لمدة ${span}`,
    keptFirstInQueue: (span: string) => `أولوية في الانتظار، بلا إعلانات، تُحفظ الملفات لمدة ${span}`,
    chapterFiles: "ملف لكل فصل",
  },

  billing: {
    manage: "إدارة الفوترة",
    paused: "اشتراكك متوقف مؤقتًا: لا يُحصَّل أي مبلغ، وPro غير مفعّل. راسل الدعم ليستأنف.",
    updateCard: "تحديث البطاقة",
    contactSupport: "التواصل مع الدعم",
    assurance: "ألغِ متى شئت • بلا رسوم خفية • ضمان استرداد المال خلال 30 يومًا",
    plans: {
      monthly: {
        name: "شهري",
        interval: "شهريًا",
        choose: "اختيار الشهري",
        priced: (price: string) => `شهري، ${price} شهريًا`,
        pay: (price: string) => `ادفع ${price} شهريًا`,
        yours: "اشتراكك الشهري",
      },
      yearly: {
        name: "سنوي",
        interval: "سنويًا",
        choose: "اختيار السنوي",
        priced: (price: string) => `سنوي، ${price} سنويًا`,
        pay: (price: string) => `ادفع ${price} سنويًا`,
        yours: "اشتراكك السنوي",
      },
    },
    mostPopular: "الأكثر اختيارًا",
    save: (amount: string) => `وفّر ${amount}`,
    features: {
      name: "مزايا Pro",
      quality: (mp3: string, mp4: string) => `MP3 بجودة ${mp3}، وMP4 بجودة ${mp4}`,
      otherFormats: (list: string) => `وكذلك ${list}`,
      limits: (span: string, size: string) => `فيديوهات حتى ${span}، وملفات حتى ${size}`,
      batch: (count: number) => `حتى ${links(count)} دفعة واحدة`,
      kept: (span: string) => `تُحفظ الملفات لمدة ${span}`,
      fast: "معالجة سريعة: أولوية في الانتظار",
      noAds: "بلا إعلانات",
    },
    strip: {
      activating: "جارٍ تفعيل Pro…",
      confirmed: "تم تأكيد الدفع. سيظهر Pro هنا بعد لحظات.",
      isLong:
        "يستغرق هذا وقتًا أطول من المعتاد. لا شيء آخر عليك دفعه، وسيظهر Pro من تلقاء نفسه هنا أو في زيارتك القادمة.",
      overdue: "لم تكتمل دفعتك الأخيرة. حدّث بطاقتك لتحتفظ بـ Pro.",
      overdueBy: (date: string) => `لم تكتمل دفعتك الأخيرة. حدّث بطاقتك قبل ${date} لتحتفظ بـ Pro.`,
      stopped: "لم تكتمل دفعتك الأخيرة، لذلك توقّف Pro. حدّث بطاقتك لتستعيده.",
      until: (date: string) => `Pro حتى ${date}.`,
      cancelled: "اشتراكك مُلغى ولن يتجدّد.",
      active: "تم تفعيل Pro. شكرًا لك!",
    },
    until: (date: string) => `حتى ${date}`,
    renews: (date: string) => `يتجدّد في ${date}`,
    notices: {
      active: { title: "تم الدفع", description: "مرحبًا بك في Pro! اشتراكك مفعّل الآن." },
      paymentFailed: { title: "فشل الدفع", description: "تعذّر إتمام الدفع. تحقّق من البطاقة وحاول مرة أخرى." },
      notConfirmed: {
        title: "فشل الدفع",
        description: "لم يُؤكَّد الدفع، لذلك لم يُخصم أي مبلغ. اختر خطة للمحاولة مرة أخرى.",
      },
      portalFailed: { title: "خطأ", description: "تعذّر فتح الفوترة" },
      subscriptionFailed: { title: "خطأ", description: "تعذّر إنشاء الاشتراك" },
      noSecret: { title: "خطأ", description: "لم يرسل الخادم ما يلزم للدفع" },
    },
  },

  account: {
    tiers: { free: "مجاني", pro: "Pro" },
    loading: "جارٍ تحميل حسابك",
    unreachable: { title: "تعذّر تحميل هذه الصفحة", text: "لم يضع شيء. نواصل المحاولة.", retry: "إعادة المحاولة" },
    notices: {
      signOutFailed: { title: "فشل تسجيل الخروج", description: "تعذّر تسجيل الخروج من كل مكان" },
      deletionFailed: { title: "فشل الحذف", description: "تعذّر حذف الحساب" },
    },
  },
} satisfies Texts;
