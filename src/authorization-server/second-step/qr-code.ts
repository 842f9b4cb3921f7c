/** Light squares around the code (ISO/IEC 18004 section 9.1). */
const BORDER = 4;

/**
 * A QR code as SVG without style attributes, which the pages' Content-Security-Policy forbids. It is dark on light in every colour scheme,
 * because many readers know nothing else.
 *
 * @param label text for people who do not see it, without markup
 */
export async function qrCode(text: string, label: string): Promise<string> {
  const { default: encode } = await import("qr");
  const rows = encode(text, "raw", { border: BORDER, ecc: "medium" });
  const path = rows.map((row, y) =>
    runsOf(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(""),
  );
  const size = rows.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path.join("")}"/></svg>`;
}

/** Start and length of each run of dark squares. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last !== undefined && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}
