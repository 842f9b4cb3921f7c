/** Fonts of titles and texts. */
export const SERIF = 'Charter, "Iowan Old Style", Georgia, serif';

/**
 * The style of a post's HTML within `.content`: serif, a readable measure, nothing that scrolls sideways. The page around it
 * sets the colours of `colorRules`.
 */
export const CONTENT_STYLE = `
.content { font: 18px/1.65 ${SERIF}; overflow-wrap: anywhere; }
.content > :first-child { margin-top: 0; }
.content > :last-child { margin-bottom: 0; }
.content p, .content ul, .content ol, .content pre, .content blockquote, .content table { margin: 0 0 20px; }
.content h1, .content h2, .content h3, .content h4, .content h5, .content h6 {
  margin: 36px 0 12px; font-weight: 600; line-height: 1.25; text-wrap: balance;
}
.content h1, .content h2 { font-size: 26px; }
.content h3 { font-size: 21px; }
.content h4, .content h5, .content h6 { font-size: 18px; }
.content ul, .content ol { padding-inline-start: 28px; }
.content li { margin: 4px 0; }
.content li > ul, .content li > ol { margin: 4px 0; }
.content a { color: var(--accent); text-underline-offset: 3px; }
.content blockquote { padding-inline-start: 20px; border-inline-start: 3px solid var(--line); color: var(--muted); }
.content code, .content pre { font: 15px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.content code { padding: 1px 5px; border-radius: 5px; background: var(--quiet); }
.content pre { padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--quiet); white-space: pre-wrap; }
.content pre code { padding: 0; background: none; }
.content img { display: block; max-width: 100%; height: auto; margin: 28px auto; border-radius: 10px; }
.content hr { width: 96px; height: 0; margin: 36px auto; border: 0; border-top: 1px solid var(--control); }
.content table { width: 100%; border-collapse: collapse; font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.content th, .content td { padding: 8px 12px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.content th { border-bottom-color: var(--control); font-weight: 600; }
@media print {
  .content { font-size: 11pt; line-height: 1.5; }
  .content a { color: inherit; }
  .content h1, .content h2, .content h3, .content h4 { break-after: avoid; }
  .content pre, .content img, .content tr, .content blockquote { break-inside: avoid; }
}
`;
