/** The network that counts as one caller: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1] ?? "";
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::"); // without its zone
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":") ?? [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":").toLowerCase();
}
