import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * The keys of unique indexes, compared by their values. H2 knows nothing of their class and would
 * serialise both keys for every comparison, some thirty times for each document that is looked up.
 */
final class KeyType extends BasicDataType<KeyValue> {
  /** Roughly, of one in memory. */
  private static final int MEMORY_BYTES = 200;

  private static final String VALUES = "v";

  private final DocumentType documents = new DocumentType();

  @Override
  public int compare(KeyValue a, KeyValue b) {
    for (int at = 0; at < Math.min(a.size(), b.size()); at += 1) {
      int order = compareValues(a.get(at), b.get(at));
      if (order != 0) return order;
    }
    return Integer.compare(a.size(), b.size());
  }

  /** As the library does, quicker for the most frequent kinds, and to the last digit of a number. */
  static int compareValues(Object a, Object b) {
    if (a == b) return 0;
    if (a instanceof String one && b instanceof String other) return one.compareTo(other);
    if (a instanceof Instant one && b instanceof Instant other) return one.compareTo(other);
    if (a instanceof Double one && b instanceof Double other) return one.compareTo(other);
    return ValueComparator.ascWithoutListHandling().compare(a, b);
  }

  @Override
  public int getMemory(KeyValue key) {
    return MEMORY_BYTES;
  }

  @Override
  public void write(WriteBuffer file, KeyValue key) {
    documents.write(file, new Document(VALUES, key.stream().collect(Collectors.toList())));
  }

  @Override
  public KeyValue read(ByteBuffer file) {
    return new KeyValue((List<?>) documents.read(file).get(VALUES));
  }

  @Override
  public KeyValue[] createStorage(int size) {
    return new KeyValue[size];
  }
}
