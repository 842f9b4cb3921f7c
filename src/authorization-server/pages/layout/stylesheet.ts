import { colorRules } from "../../../design/colors.ts";
import { SERIF } from "../../../design/content.ts";

/** The one stylesheet. Nothing moves, so `prefers-reduced-motion` needs no rule. */
export const STYLESHEET = `
${colorRules()}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 32px 16px 48px;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere;
}
h1, h2, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
h1, .title { font-family: ${SERIF}; font-weight: 600; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h1.long { font-size: 20px; line-height: 1.3; letter-spacing: 0; text-wrap: wrap; }
h2 { font-size: 14px; font-weight: 600; }
ul, ol { list-style: none; }
[hidden] { display: none !important; }
strong { font-weight: 600; }
small, .small { font-size: 14px; }
.muted { color: var(--muted); }
.muted strong { color: var(--ink); }
.dashes li { padding-left: 16px; }
.dashes li::before { content: "– "; margin-left: -16px; }
svg { display: block; flex: none; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.brand, main { width: 100%; margin-inline: auto; }
.narrow .brand, .narrow main { max-width: 26rem; }
.wide .brand, .wide main { max-width: 64rem; }
.brand { display: flex; align-items: center; gap: 12px; padding: 0 4px 20px; font-weight: 600; }
.mark-ground { fill: var(--accent); }
.mark-line { stroke: var(--on-accent); }
.mark-dot { fill: var(--on-accent); }
main { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 28px 24px; }
.stack > * + * { margin-top: 8px; }
.parts > * + * { margin-top: 24px; }

form { margin: 0; }
.field + .field, .field + .actions { margin-top: 20px; }
label { display: block; margin-bottom: 4px; font-size: 14px; font-weight: 600; }
input {
  display: block; width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--control);
  border-radius: 10px; background: var(--card); color: var(--ink); font: inherit;
}
input:focus-visible { border-color: var(--accent); }
input[aria-invalid="true"] { border-color: var(--danger); }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-size: 14px; font-weight: 600; }
.choice { display: flex; align-items: center; gap: 12px; min-height: 44px; }
.choice label { flex: 1; margin: 0; padding: 10px 0; font-size: 16px; font-weight: 400; }
.choice input { flex: none; width: 20px; min-height: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
.choice .hint { display: block; margin: 0; }
.levels legend { margin-bottom: 4px; }
.levels .choice { align-items: flex-start; }
.levels input { margin-top: 12px; }
.parts + .pair { margin-top: 24px; }
.hint, .field-error { margin-top: 4px; font-size: 14px; }
.hint { color: var(--muted); }
.field-error { color: var(--danger); }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 20px;
  border: 1px solid var(--control); border-radius: 10px; background: var(--card); color: var(--ink);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { border-color: var(--ink); }
button:disabled { opacity: 0.6; cursor: progress; }
.primary, .primary:hover { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { text-decoration: underline; text-underline-offset: 3px; }
.full { width: 100%; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.pair button { padding-inline: 8px; }
.quiet-button { padding: 8px 12px; border-color: transparent; background: transparent; color: var(--accent); }
.quiet-button:hover { border-color: transparent; text-decoration: underline; text-underline-offset: 3px; }
.cancel { margin: 8px 0 -12px; }
.other-way { margin-top: 12px; }
noscript .hint { margin-top: 16px; }
.links { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 16px; margin: 12px 0 -8px; font-size: 14px; }
.links a { padding: 8px 0; }
.links + .cancel { margin-top: 16px; }

.note { display: flex; gap: 12px; padding: 12px 16px; border-radius: 10px; background: var(--quiet); font-size: 14px; }
.note svg { margin-top: 2px; }
.note div { min-width: 0; }
.danger { color: var(--danger); }
.note.danger { background: var(--danger-quiet); }
.good { color: var(--good); }
.note .info { color: var(--accent); }

.identity { display: flex; align-items: center; gap: 12px; }
.identity > div { flex: 1; min-width: 0; }
.letter {
  display: grid; flex: none; place-items: center; width: 44px; height: 44px; overflow: hidden; border-radius: 10px;
  border: 1px solid var(--line); background: var(--quiet); font-size: 20px; line-height: 1;
}
.letter.round { border-radius: 50%; font-size: 16px; }
.identity form { flex: none; margin-right: -12px; }
.client-name { font-size: 20px; line-height: 1.3; }
.rows > * { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 12px; padding: 12px 0; border-top: 1px solid var(--line); }
.rows > :last-child { border-bottom: 1px solid var(--line); }
.rows h2 { padding-top: 2px; color: var(--muted); font-weight: 500; }
.rows li + li, .rows details { margin-top: 4px; }
summary { min-height: 24px; color: var(--accent); cursor: pointer; }
details[open] > summary { margin-bottom: 4px; }
details > .note { margin: 8px 0 16px; }

.entry { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; }
.entry > div:not(.entry-actions) { flex: 1 1 14rem; min-width: 0; }
.entry details { margin-top: 4px; }
.entry-actions { display: flex; flex-wrap: wrap; gap: 12px; }
p + .entries { margin-top: 12px; }
.entries > li { padding: 16px 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.entries > :last-child { border-bottom: 1px solid var(--line); }
.entries > li > .letter { align-self: flex-start; }
.tag { display: inline-block; margin-left: 4px; padding: 2px 8px; border-radius: 10px; background: var(--quiet); font-size: 14px; }
.last { margin-top: 16px; }
.events li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 24px; padding: 8px 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.events > :last-child { border-bottom: 1px solid var(--line); }
.note p + form { margin-top: 12px; }
.note p + p { margin-top: 8px; }
.letter-text { max-width: 40rem; white-space: pre-wrap; }
.entry + section { margin-top: 40px; }

code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 14px; }
pre {
  padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--quiet);
  white-space: pre; overflow-x: auto; -webkit-user-select: all; user-select: all;
}
.copied { -webkit-user-select: all; user-select: all; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 4px 16px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--quiet); }
.qr-code svg { width: 100%; max-width: 15rem; margin-inline: auto; border-radius: 10px; }
.facts > * + * { margin-top: 12px; }
.facts dt { color: var(--muted); font-size: 14px; }
details pre { margin-top: 8px; white-space: pre-wrap; }
.request-id { padding-top: 16px; border-top: 1px solid var(--line); color: var(--muted); font-size: 14px; }
.request-id code { -webkit-user-select: all; user-select: all; }

.wide main { padding: 32px 24px; }
.wide h1 { font-size: 28px; }
.wide h2 { margin-bottom: 8px; font-size: 20px; line-height: 1.3; }
.lead { max-width: 40rem; }
.ways { display: flex; flex-wrap: wrap; gap: 12px; }
.addresses > div { padding: 12px 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.addresses > :last-child { border-bottom: 1px solid var(--line); }
.addresses dt { color: var(--muted); font-size: 14px; }
.addresses a { padding: 8px 0; }
.wide section + section, .ways + section { margin-top: 40px; }
.steps { counter-reset: step; }
.steps > li { position: relative; padding-left: 44px; counter-increment: step; }
.steps > li + li { margin-top: 24px; }
.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: 0; width: 28px; height: 28px; border: 1px solid var(--control);
  border-radius: 50%; font-size: 14px; line-height: 26px; text-align: center; font-variant-numeric: tabular-nums;
}
.steps pre { margin-top: 8px; }
section > .steps { margin-top: 16px; }
@media (forced-colors: active) {
  .note, .tag { border: 1px solid CanvasText; }
  .note.danger, input[aria-invalid="true"], button.danger { border-width: 3px; }
  .primary { border-width: 2px; }
  .note.danger svg, .field-error { color: CanvasText; }
}
@media (min-width: 640px) {
  body { padding-top: 64px; }
  main { padding: 32px; }
  .wide main { padding: 48px; }
  .addresses > div { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 16px; }
  .addresses dt { font-size: 16px; }
}
`;
