import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * An index that is not unique: one entry a document, in the order of the fields' values. It lives in
 * memory alone and is filled from the documents, so that it cannot differ from them after a kill.
 */
final class OrderedIndex extends Index<Object> {
  /** More combinations of values than this are no way to find few documents. */
  private static final int MOST_RANGES = 512;

  /** @param side where all real entries are 0: -1 comes before those that begin with its values, 1 after them */
  record Entry(Object[] values, Object position, int side) {}

  /** Whether documents that lack the first field have no entry. */
  private final boolean leavesOutMissing;

  private final List<String> fields;
  private final boolean[] isAscending;
  private final NavigableSet<Entry> entries = new TreeSet<>(this::compareEntries);

  /** Of documents with a list or another value of no plain order, which may match whatever is asked. */
  private final NavigableSet<Object> others = new TreeSet<>(ValueComparator.ascWithoutListHandling());

  private boolean isFilled;

  OrderedIndex(String name, List<IndexKey> keys, boolean sparse) {
    // "Sparse" to the library, which then expects no position of every document.
    super(name, keys, true);
    leavesOutMissing = sparse;
    fields = keys();
    isAscending = new boolean[keys.size()];
    for (int at = 0; at < isAscending.length; at += 1) isAscending[at] = keys.get(at).isAscending();
  }

  private int compareEntries(Entry a, Entry b) {
    int order = compareValues(a, b, Math.min(a.values.length, b.values.length));
    if (order != 0) return order;
    if (a.side != b.side) return Integer.compare(a.side, b.side);
    if (a.side == 0) return KeyType.compareValues(a.position, b.position);
    // Before or after all that begins alike, there is more of it where fewer values are given.
    return a.side * Integer.compare(b.values.length, a.values.length);
  }

  int compareValues(Entry a, Entry b, int count) {
    for (int at = 0; at < count; at += 1) {
      int order = KeyType.compareValues(a.values[at], b.values[at]);
      if (order != 0) return isAscending[at] ? order : -order;
    }
    return 0;
  }

  boolean isFilled() {
    return isFilled;
  }

  void beginFilling() {
    isFilled = true;
  }

  /** What was filled only in part would hide the rest. */
  void giveUpFilling() {
    isFilled = false;
    entries.clear();
    others.clear();
  }

  /** Null where a value is not plain. */
  private Object[] valuesIn(Document document) {
    Object[] values = new Object[fields.size()];
    for (int at = 0; at < values.length; at += 1) {
      Object value = Utils.getSubdocumentValueCollectionAware(document, fields.get(at));
      if (!Conditions.isPlain(value)) return null;
      values[at] = Missing.ofNullable(value);
    }
    return values;
  }

  private boolean isLeftOut(Object[] values) {
    return leavesOutMissing && values[0] == Missing.getInstance();
  }

  @Override
  public synchronized void add(Document document, Object position, MongoCollection<Object> collection) {
    if (!isFilled) return;
    Object[] values = valuesIn(document);
    if (values == null) others.add(position);
    else if (!isLeftOut(values)) entries.add(new Entry(values, position, 0));
  }

  /** Always null: another index tells the position. */
  @Override
  public synchronized Object remove(Document document) {
    if (!isFilled) return null;
    Object position = Missing.ofNullable(document.get("_id"));
    Object[] values = valuesIn(document);
    if (values == null) others.remove(position);
    else entries.remove(new Entry(values, position, 0));
    return null;
  }

  @Override
  public synchronized void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
    if (!isFilled || hasSameValues(valuesIn(before), valuesIn(after))) return;
    remove(before);
    add(after, position, collection);
  }

  private static boolean hasSameValues(Object[] before, Object[] after) {
    return before == null ? after == null : Arrays.equals(before, after);
  }

  /** How this index finds what has to be looked at, or null when it would have to name everything. */
  IndexPlan plan(Conditions conditions, Document orderBy) {
    List<Object[]> prefixes = new ArrayList<>();
    prefixes.add(new Object[0]);
    int fixed = 0;
    boolean isSingle = true;
    for (; fixed < fields.size(); fixed += 1) {
      Collection<Object> values = conditions.valuesOf(fields.get(fixed));
      if (values == null || prefixes.size() * values.size() > MOST_RANGES) break;
      if (fixed == 0 && leavesOutMissing && values.contains(Missing.getInstance())) return null;
      isSingle &= values.size() == 1;
      List<Object[]> longer = new ArrayList<>();
      for (Object[] prefix : prefixes) values.forEach(value -> longer.add(with(prefix, value)));
      prefixes = longer;
    }
    Conditions.Range range = fixed < fields.size() ? conditions.rangeOf(fields.get(fixed)) : null;
    if (fixed == 0 && range == null) return null;
    List<NavigableSet<Entry>> ranges = new ArrayList<>();
    for (Object[] prefix : prefixes) {
      NavigableSet<Entry> found = range == null ? between(before(prefix), after(prefix)) : within(prefix, range);
      if (found != null) ranges.add(found);
    }
    int sortedBy = isSingle && others.isEmpty() ? sortDirection(orderBy, fixed) : 0;
    return new IndexPlan(this, ranges, others, fixed + (range == null ? 0 : 1), sortedBy, sortedBy == 0 ? 0 : fixed + orderBy.size());
  }

  /** 1 or -1 when the entries that begin alike are in the order asked for, forward or backward; else 0. */
  private int sortDirection(Document orderBy, int fixed) {
    if (orderBy == null || orderBy.isEmpty() || fixed + orderBy.size() > fields.size()) return 0;
    int direction = 0;
    int at = fixed;
    for (String field : orderBy.keySet()) {
      if (!field.equals(fields.get(at)) || !(orderBy.get(field) instanceof Number sign)) return 0;
      int here = sign.intValue() > 0 == isAscending[at] ? 1 : -1;
      if (direction != 0 && direction != here) return 0;
      direction = here;
      at += 1;
    }
    return direction;
  }

  private NavigableSet<Entry> within(Object[] prefix, Conditions.Range range) {
    Object[] none = with(prefix, Missing.getInstance());
    if (isAscending[prefix.length]) {
      return between(
          range.least() == null ? after(none) : before(with(prefix, range.least())),
          range.most() == null ? after(prefix) : after(with(prefix, range.most())));
    }
    return between(
        range.most() == null ? before(prefix) : before(with(prefix, range.most())),
        range.least() == null ? before(none) : after(with(prefix, range.least())));
  }

  /** Null for bounds between which nothing can lie. */
  private NavigableSet<Entry> between(Entry from, Entry to) {
    return compareEntries(from, to) < 0 ? entries.subSet(from, false, to, false) : null;
  }

  private static Entry before(Object[] prefix) {
    return new Entry(prefix, null, -1);
  }

  private static Entry after(Object[] prefix) {
    return new Entry(prefix, null, 1);
  }

  private static Object[] with(Object[] prefix, Object value) {
    Object[] longer = Arrays.copyOf(prefix, prefix.length + 1);
    longer[prefix.length] = value;
    return longer;
  }

  @Override
  public Object getPosition(Document document) {
    return null;
  }

  @Override
  public void checkAdd(Document document, MongoCollection<Object> collection) {}

  @Override
  public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {}

  /** Whole queries are answered by way of {@link #plan}. */
  @Override
  public boolean canHandle(Document query) {
    return false;
  }

  @Override
  public Iterable<Object> getPositions(Document query) {
    throw new UnsupportedOperationException();
  }

  /** Never, so that the library does not read all documents for each index. */
  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public long getCount() {
    return entries.size() + others.size();
  }

  @Override
  public long getDataSize() {
    return getCount();
  }

  @Override
  public void drop() {
    entries.clear();
    others.clear();
  }
}
