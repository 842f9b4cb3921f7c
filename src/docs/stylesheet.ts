import { colorRules } from "../design/colors.ts";
import { SERIF } from "../design/content.ts";

/** The style of these pages. Nothing moves, so `prefers-reduced-motion` needs no rule. */
export const STYLESHEET = `
${colorRules()}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 20px 20px 72px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere;
}
body > * { width: 100%; max-width: 60rem; margin-inline: auto; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 32px; }
.home { display: flex; align-items: center; gap: 12px; min-height: 44px; color: var(--ink); font-weight: 600; text-decoration: none; }
header nav { display: flex; flex-wrap: wrap; gap: 0 20px; }
header nav a { padding: 10px 0; }
header nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
svg { display: block; flex: none; }
.mark-ground { fill: var(--accent); }
.mark-line { stroke: var(--on-accent); }
.mark-dot { fill: var(--on-accent); }
h1, h2 { font-family: ${SERIF}; font-weight: 600; line-height: 1.25; text-wrap: balance; }
h1 { margin: 40px 0 16px; font-size: 36px; line-height: 1.15; letter-spacing: -0.015em; }
h2 { margin: 40px 0 12px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 24px; scroll-margin-top: 16px; }
p, ul, ol, dl { margin: 0 0 16px; }
ul { padding-inline-start: 20px; }
li { margin: 6px 0; }
.muted { color: var(--muted); }
code, pre { font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { padding: 1px 5px; border-radius: 5px; background: var(--quiet); }
a > code { color: inherit; }
pre { margin: 0 0 16px; padding: 16px; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--quiet); overflow-wrap: normal; }
.wide { margin: 0 0 16px; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; }
th, td { min-width: 7rem; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { border-bottom-color: var(--control); font-weight: 600; }
td:first-child code { white-space: nowrap; }
td:nth-child(2) { min-width: 12rem; }
.index { columns: 14rem; padding: 0; list-style: none; }
.index a { display: block; padding: 4px 0; }
.fields { padding: 0; list-style: none; }
.fields > li { margin: 0; padding: 10px 0; border-top: 1px solid var(--line); }
.fields ul { margin: 4px 0 0; }
.scope { color: var(--muted); font-size: 14px; }
@media (max-width: 600px) {
  h1 { margin-top: 24px; font-size: 28px; }
  h2 { font-size: 20px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
  td, td:nth-child(2) { display: block; min-width: 0; padding: 3px 0; border: 0; }
  td:empty { display: none; }
}
@media (forced-colors: active) { pre { border-color: CanvasText; } }
@media print { header { display: none; } body { padding: 0; } pre { white-space: pre-wrap; } }
`;
