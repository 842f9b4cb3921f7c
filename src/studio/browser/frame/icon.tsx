/** Lines on a grid of 20, drawn in the colour of the text around them. */
const PATHS = {
  agent: "M4.500 8.500h11v7h-11zM10 8.500v-4M8 12v.1m4-.1v.1M2.500 11v2m15-2v2",
  archive: "M3.5 5.5h13v3h-13zM5 8.5v7h10v-7M8 11.5h4",
  back: "M12 4.5 6.5 10l5.5 5.5",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  close: "m5.5 5.5 9 9m0-9-9 9",
  code: "m7 6.500-4 3.500 4 3.500m6-7 4 3.500-4 3.500M11.200 4.500l-2.400 11",
  device: "M4.5 3.5h11v9h-11zM2.5 15.5h15",
  down: "m5 8 5 5 5-5",
  external: "M8.5 4.5h-4v11h11v-4M11.5 4.5h4v4M15 5l-6 6",
  health: "M2.500 10.500h3.500l2-5 3.500 9.500 2-4.500h4",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M10 14.5v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14",
  key: "M7 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7m3.500-3.500h7v3m-3-3v2",
  list: "M7 5.500h9.500M7 10h9.500M7 14.500h9.500M3.500 5.500v.1M3.500 10v.1m0 4.400v.1",
  mail: "M3 5h14v10H3zm0 .5 7 5.500 7-5.500",
  menu: "M3.5 6h13m-13 4h13m-13 4h13",
  moon: "M15.5 12.2A6.3 6.3 0 0 1 7.8 4.5a6.3 6.3 0 1 0 7.7 7.7",
  people:
    "M8 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.500 16.500c.5-2.800 2.700-4.500 5.500-4.500s5 1.700 5.500 4.500M13 4.300a3 3 0 0 1 0 5.400m2 2.800c1.400.7 2.300 2 2.500 4",
  person: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 16.5c.6-2.8 3-4.5 6-4.5s5.4 1.7 6 4.5",
  plus: "M10 4v12M4 10h12",
  posts: "M5 3.500h7l3 3v10H5zM7.5 9.500h5m-5 3h5",
  search: "M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11m4-1.5 3.5 3.5",
  settings: "M3.500 6h7m4 0h2m-13 8h2m4 0h7M12.500 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4m-5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  sun: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M10 2.500v2m0 11v2M2.5 10h2m11 0h2M4.7 4.700l1.4 1.400m7.8 7.8 1.4 1.400m0-10.6-1.4 1.400m-7.8 7.8-1.4 1.4",
  trash: "M4 5.500h12M8 5.500v-2h4v2M5.5 5.500l.7 11h7.600l.7-11M8.5 8.500v5m3-5v5",
  warning: "M10 3.5 17.5 16.500h-15zM10 8.500v4m0 2v.1",
  webhook:
    "M10 9a2.500 2.500 0 1 0-2.400-3.200M10 6.500l3 6m-5.500 1A2.500 2.500 0 1 1 5 11m0 2.500 3-6m4.500 5a2.500 2.500 0 1 1-.5 2.500H6",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words, or in a button that has a label of its own: readers do not hear of it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
