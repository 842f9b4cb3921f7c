/** A value that CBOR can say, as far as authenticators need it. */
export type Cbor = number | boolean | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** Writes CBOR (RFC 8949), each length in as few bytes as it needs. The keys of a map stay in their order. */
export function writeCbor(value: Cbor): Buffer {
  if (typeof value === "boolean") return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((part: Cbor) => writeCbor(part))]);
  const list = value as readonly Cbor[];
  return Buffer.concat([head(4, list.length), ...list.map(writeCbor)]);
}

/** The first byte of an item, and its number. */
function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.of((major << 5) | count);
  const size = count < 0x1_00 ? 1 : count < 0x1_00_00 ? 2 : 4;
  const bytes = Buffer.alloc(1 + size, (major << 5) | (24 + Math.log2(size)));
  bytes.writeUIntBE(count, 1, size);
  return bytes;
}
