import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.ObjectDataType;

/**
 * Stores documents as BSON. H2 writes the whole page of a changed document, and Java's own serialisation
 * (the library's default) takes many times the time and space.
 */
final class DocumentType extends BasicDataType<Document> {
  /** Precedes each document; no type of H2 has this number. */
  private static final byte TAG = 127;

  /** Rough size of a document in memory; H2 derives from it how many documents share a page. */
  private static final int MEMORY_BYTES = 2_000;

  /** Reads documents of files that were written before this type existed. */
  private final ObjectDataType earlier = new ObjectDataType();

  @Override
  public int getMemory(Document document) {
    return MEMORY_BYTES;
  }

  @Override
  public void write(WriteBuffer file, Document document) {
    ByteBuf buffer = Unpooled.buffer();
    try {
      BsonEncoder.encodeDocument(document, buffer);
      byte[] bytes = ByteBufUtil.getBytes(buffer);
      file.put(TAG).putVarInt(bytes.length).put(bytes);
    } finally {
      buffer.release();
    }
  }

  @Override
  public Document read(ByteBuffer file) {
    if (file.get(file.position()) != TAG) return (Document) earlier.read(file);
    file.get();
    byte[] bytes = new byte[DataUtils.readVarInt(file)];
    file.get(bytes);
    return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(bytes));
  }

  @Override
  public Document[] createStorage(int size) {
    return new Document[size];
  }
}
