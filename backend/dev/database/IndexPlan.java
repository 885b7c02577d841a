import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;

/**
 * Which entries of an index name the documents that a query can match.
 *
 * @param others documents the index cannot tell about
 * @param boundFields how many of the index's fields the query bounds
 * @param sortedBy 1 or -1: read forward or backward, the entries are in the order asked for; 0: in none
 * @param sortedFields how many fields have to be equal for two entries to be equal in that order
 */
record IndexPlan(
    OrderedIndex index,
    List<NavigableSet<OrderedIndex.Entry>> ranges,
    Collection<Object> others,
    int boundFields,
    int sortedBy,
    int sortedFields) {

  /** Of all that one of several plans names. */
  static IndexPlan ofAll(List<IndexPlan> plans) {
    List<NavigableSet<OrderedIndex.Entry>> ranges = new ArrayList<>();
    List<Object> others = new ArrayList<>();
    int boundFields = Integer.MAX_VALUE;
    for (IndexPlan plan : plans) {
      ranges.addAll(plan.ranges);
      others.addAll(plan.others);
      boundFields = Math.min(boundFields, plan.boundFields);
    }
    return new IndexPlan(null, ranges, others, boundFields, 0, 0);
  }

  boolean isSorted() {
    return sortedBy != 0;
  }

  /** In no order; a position may come twice. Read one by one: some are only counted up to a number. */
  Iterator<Object> positions() {
    Iterator<NavigableSet<OrderedIndex.Entry>> left = ranges.iterator();
    Iterator<Object> rest = others.iterator();
    return new Iterator<>() {
      private Iterator<OrderedIndex.Entry> entries = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!entries.hasNext() && left.hasNext()) entries = left.next().iterator();
        return entries.hasNext() || rest.hasNext();
      }

      @Override
      public Object next() {
        return hasNext() && entries.hasNext() ? entries.next().position() : rest.next();
      }
    };
  }

  /** In the order asked for, equal ones in the natural order as from a stable sort of a scan; found as they are read. */
  Iterator<Object> sortedPositions(Comparator<Object> naturalOrder) {
    NavigableSet<OrderedIndex.Entry> range = ranges.isEmpty() ? Collections.emptyNavigableSet() : ranges.get(0);
    Iterator<OrderedIndex.Entry> entries = sortedBy > 0 ? range.iterator() : range.descendingIterator();
    return new Iterator<>() {
      private final Deque<Object> equalOnes = new ArrayDeque<>();
      private OrderedIndex.Entry following = entries.hasNext() ? entries.next() : null;

      @Override
      public boolean hasNext() {
        return !equalOnes.isEmpty() || following != null;
      }

      @Override
      public Object next() {
        if (equalOnes.isEmpty()) readEqualOnes();
        return equalOnes.remove();
      }

      private void readEqualOnes() {
        List<Object> found = new ArrayList<>();
        OrderedIndex.Entry first = following;
        while (following != null && index.compareValues(first, following, sortedFields) == 0) {
          found.add(following.position());
          following = entries.hasNext() ? entries.next() : null;
        }
        found.sort(naturalOrder);
        equalOnes.addAll(found);
      }
    };
  }
}
