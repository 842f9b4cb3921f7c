/** Lines on a grid of 20, drawn in the colour of the text around them. */
const PATHS = {
  bold: "M6 4h4.7a3 3 0 0 1 0 6H6zM6 10h5.5a3 3 0 0 1 0 6H6z",
  italic: "M8.500 4h6M5.500 16h6M11.500 4l-3 12",
  link: "M8.500 11.500a3 3 0 0 0 4.200 0l2.600-2.600a3 3 0 0 0-4.200-4.200L10 5.800M11.500 8.500a3 3 0 0 0-4.200 0l-2.600 2.600a3 3 0 0 0 4.200 4.200l1.100-1.100",
  heading2:
    "M3.500 4.500v11M10.500 4.500v11M3.500 10h7M13.500 9.300c.6-2.400 3.600-2 3.400.2-.1 1.700-2.700 3-3.500 6h3.800",
  heading3:
    "M4.500 6v9M10 6v9M4.500 10.500H10M13.200 9.300c.9-1.700 3.400-1.200 3.300.6 0 1.200-.9 1.700-2 1.700 1.300 0 2.300.6 2.300 1.900 0 2.100-3 2.500-3.800.6",
  bullets: "M8 5.500h8.500M8 10h8.500M8 14.500h8.500M3.800 5.500h.4M3.800 10h.4M3.800 14.500h.4",
  numbers:
    "M8.500 5.500h8M8.500 10h8M8.500 14.500h8M3.300 4.200l1.200-.7v4M3.200 12.800c.5-1 2.200-.7 2 .5-.1.900-1.500 1.300-2 2.700h2.200",
  quote:
    "M4 13.500c2-.5 3-2 3-4H4.200V5.500h4v4.200c0 3-1.400 4.900-4.200 5.500M11.300 13.500c2-.5 3-2 3-4h-2.800V5.500h4v4.200c0 3-1.400 4.900-4.200 5.500",
  code: "M7 5.500 2.800 10 7 14.500M13 5.500l4.200 4.500-4.200 4.500",
  table: "M3.500 4.500h13v11h-13zM3.500 8.200h13M3.500 11.800h13M10 8.200v7.300",
} as const;

/** Commands that have a button. */
export type ToolName = keyof typeof PATHS;

export function ToolIcon({ name }: { readonly name: ToolName }) {
  return (
    <svg class="writing-tool-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
