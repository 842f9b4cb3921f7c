import { colorRules } from "../design/colors.ts";
import { CONTENT_STYLE, SERIF } from "../design/content.ts";

/** The style of the page. Nothing moves, so `prefers-reduced-motion` needs no rule. */
export const STYLESHEET = `
${colorRules()}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 20px 20px 72px;
  background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
}
body > * { width: 100%; max-width: 42rem; margin-inline: auto; }
header { display: flex; align-items: center; gap: 12px; font-weight: 600; }
svg { display: block; flex: none; }
.mark-ground { fill: var(--accent); }
.mark-line { stroke: var(--on-accent); }
.mark-dot { fill: var(--on-accent); }
.banner {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin-top: 20px; margin-bottom: 0; padding: 12px 16px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--card); font-size: 14px;
}
.banner strong { color: var(--accent); font-weight: 600; }
h1 {
  margin: 44px 0 8px; font: 600 36px/1.15 ${SERIF}; letter-spacing: -0.015em;
  overflow-wrap: anywhere; text-wrap: balance;
}
.by { margin: 0 0 36px; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
.notice { max-width: 42rem; margin-block: 20vh 0; }
.notice h1 { margin: 0 0 8px; font-size: 28px; }
.notice p { margin: 0; color: var(--muted); }
${CONTENT_STYLE}
@media (max-width: 480px) {
  h1 { margin-top: 28px; font-size: 28px; }
  .content { font-size: 17px; }
}
@media (forced-colors: active) { .banner { border-color: CanvasText; } }
@media print {
  body { padding: 0; background: none; }
  body > * { max-width: none; }
  header { display: none; }
  .banner { margin-top: 0; border: 0; padding: 0; }
  h1 { margin-top: 16px; font-size: 22pt; }
}
`;
