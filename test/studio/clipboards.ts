/** A clipboard as a program fills it, and the Markdown that people mean by it. */
export interface Clipboard {
  readonly name: string;
  readonly html: string;
  readonly text: string;
  readonly markdown: string;
}

const WORD_LIST = (level: number, marker: string, text: string, place = "Middle") =>
  `<p class=MsoListParagraphCxSp${place} style='margin-left:${36 * level}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span lang=EN-GB style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-GB>${text}<o:p></o:p></span></p>`;

const DOCS_TEXT = (text: string, style = "") =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;${style}">${text}</span>`;

export const CLIPBOARDS: readonly Clipboard[] = [
  {
    name: "Word",
    html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--><style><!-- p.MsoNormal {margin:0cm; font-size:12.0pt;} @list l0 {mso-list-id:1; mso-list-type:hybrid;} --></style></head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'><!--StartFragment--><h1><span lang=EN-GB>The patience of herons<o:p></o:p></span></h1><p class=MsoNormal><span lang=EN-GB>They <b style='mso-bidi-font-weight:normal'>stand</b> and <i style='mso-bidi-font-style:normal'>wait</i>,
as <a href="https://example.com/herons">everybody knows</a>.<o:p></o:p></span></p>${WORD_LIST(1, "·", "Fish", "First")}${WORD_LIST(1, "·", "Frogs")}${WORD_LIST(2, "o", "Toads too")}${WORD_LIST(1, "·", "Eels", "Last")}<p class=MsoNormal><span lang=EN-GB><o:p>&nbsp;</o:p></span></p><p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Stand<o:p></o:p></p><p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Strike<o:p></o:p></p><!--EndFragment--></body></html>`,
    text: "The patience of herons\r\nThey stand and wait, as everybody knows.\r\n·\tFish\r\n·\tFrogs\r\no\tToads too\r\n·\tEels\r\n\r\n1.\tStand\r\n2.\tStrike\r\n",
    markdown: `# The patience of herons

They **stand** and *wait*, as [everybody knows](https://example.com/herons).

- Fish
- Frogs
  - Toads too
- Eels

1. Stand
2. Strike`,
  },
  {
    name: "Google Docs",
    html: `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1a2b3c4d-7fff-0000-1111-222233334444"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;margin-bottom:6pt;"><span style="font-size:16pt;font-family:Arial,sans-serif;color:#000000;font-weight:400;font-style:normal;white-space:pre-wrap;">The patience of herons</span></h2><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${DOCS_TEXT("They ")}${DOCS_TEXT("stand", "font-weight:700;")}${DOCS_TEXT(" and ")}${DOCS_TEXT("wait", "font-style:italic;")}${DOCS_TEXT(", ")}${DOCS_TEXT("never", "text-decoration:line-through;")}${DOCS_TEXT(" ")}<a href="https://example.com/herons" style="text-decoration:none;"><span style="font-size:11pt;color:#1155cc;font-weight:400;text-decoration:underline;white-space:pre-wrap;">hurry</span></a>${DOCS_TEXT(".")}</p><br /><ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;font-size:11pt;" aria-level="1"><p dir="ltr" style="line-height:1.38;" role="presentation">${DOCS_TEXT("Fish")}</p></li><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:circle;" aria-level="2"><p dir="ltr" role="presentation">${DOCS_TEXT("Roach")}</p></li></ul><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation">${DOCS_TEXT("Frogs")}</p></li></ul></b><br class="Apple-interchange-newline">`,
    text: "The patience of herons\nThey stand and wait, never hurry.\n\nFish\nRoach\nFrogs\n",
    markdown: `## The patience of herons

They **stand** and *wait*, ~~never~~ [hurry](https://example.com/herons).

- Fish
  - Roach
- Frogs`,
  },
  {
    name: "LibreOffice",
    html: `<!DOCTYPE html>
<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title><meta name="generator" content="LibreOffice 24.2.7.2 (Linux)"/><style type="text/css">@page { size: 21cm 29.7cm; margin: 2cm } p { line-height: 115%; margin-bottom: 0.25cm; background: transparent }</style></head>
<body lang="en-GB" link="#000080" vlink="#800000" dir="ltr"><h2 class="western">The patience of herons</h2>
<p style="line-height: 100%; margin-bottom: 0cm">They <b>stand</b> and <i>wait</i>,
as <font color="#000080"><u><a href="https://example.com/herons">everybody knows</a></u></font>.</p>
<ul>
	<li><p style="line-height: 100%; margin-bottom: 0cm">Fish</p></li>
	<ul>
		<li><p style="line-height: 100%; margin-bottom: 0cm">Roach</p></li>
	</ul>
	<li><p style="line-height: 100%; margin-bottom: 0cm">Frogs</p></li>
</ul>
</body></html>`,
    text: "The patience of herons\nThey stand and wait, as everybody knows.\n    • Fish\n        ◦ Roach\n    • Frogs\n",
    markdown: `## The patience of herons

They **stand** and *wait*, as [everybody knows](https://example.com/herons).

- Fish
  - Roach
- Frogs`,
  },
  {
    name: "Excel",
    html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet><meta name=Generator content="Microsoft Excel 15"><style><!--table {mso-displayed-decimal-separator:"\\."; mso-displayed-thousand-separator:"\\,";} .xl65 {font-weight:700;} --></style></head>
<body link="#0563C1" vlink="#954F72"><table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse;width:144pt'><!--StartFragment--><col width=64 span=3 style='width:48pt'><tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Bird</td><td class=xl65 width=64 style='width:48pt'>Weight</td><td class=xl65 width=64>Note</td></tr><tr height=20 style='height:15.0pt'><td height=20 style='height:15.0pt'>Grey heron</td><td align=right>2.1</td><td>tall | grey</td></tr><tr height=20><td height=20>Little egret</td><td align=right>0.5</td><td></td></tr><!--EndFragment--></table></body></html>`,
    text: "Bird\tWeight\tNote\r\nGrey heron\t2.1\ttall | grey\r\nLittle egret\t0.5\t\r\n",
    markdown: `| Bird | Weight | Note |
| --- | ---: | --- |
| Grey heron | 2.1 | tall \\| grey |
| Little egret | 0.5 |  |`,
  },
  {
    name: "Google Sheets",
    html: `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;border-collapse:collapse;border:none" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;font-weight:bold;">Bird</td><td style="overflow:hidden;padding:2px 3px;vertical-align:bottom;font-weight:bold;">Seen in</td></tr><tr style="height:21px;"><td style="overflow:hidden;">Grey heron</td><td style="overflow:hidden;text-align:right;">1990</td></tr><tr style="height:21px;"><td>Little<br/>egret</td><td style="overflow:hidden;text-align:right;">2004</td></tr></tbody></table>`,
    text: 'Bird\tSeen in\nGrey heron\t1990\n"Little\negret"\t2004',
    markdown: `| Bird | Seen in |
| --- | ---: |
| Grey heron | 1990 |
| Little egret | 2004 |`,
  },
  {
    name: "web page",
    html: `<meta charset='utf-8'><h2 style="box-sizing: border-box; font-weight: 600; color: rgb(31, 35, 40); font-style: normal;">Waiting</h2><p style="box-sizing: border-box; margin-top: 0px; font-weight: 400; font-style: normal; text-decoration-style: initial;">Herons use <code style="box-sizing: border-box; white-space: break-spaces;">await</code>, and <strong style="box-sizing: border-box; font-weight: 600;">never</strong> poll: 5 * 3 = 15 and snake_case stay. <a href="javascript:alert(1)">No script</a><script>alert(1)</script><img src="https://example.com/a%20b.png" alt="A heron"></p><pre style="white-space: pre;"><code class="language-js">const fish = await strike();
// *one*
</code></pre><blockquote><p>Stand still.</p></blockquote><ol start="3"><li>three</li><li>four<br>and a half</li></ol>`,
    text: "Waiting\nHerons use await, and never poll: 5 * 3 = 15 and snake_case stay. No script\nconst fish = await strike();\n// *one*\nStand still.\n\nthree\nfour\nand a half",
    markdown: `## Waiting

Herons use \`await\`, and **never** poll: 5 * 3 = 15 and snake_case stay. No script![A heron](https://example.com/a%20b.png)

\`\`\`js
const fish = await strike();
// *one*
\`\`\`

> Stand still.

3. three
4. four\\
   and a half`,
  },
  {
    name: "text with marks of its own on a web page",
    html: `<meta charset='utf-8'><p><b>Not</b> a list, *not* emphasis, [no] link, 5 * 3 and &lt;b&gt; is text</p><p>1. Not a list</p><p># Not a heading</p>`,
    text: "Not a list, *not* emphasis, [no] link, 5 * 3 and <b> is text\u2028",
    markdown:
      "**Not** a list, \\*not\\* emphasis, \\[no] link, 5 * 3 and <b> is text\n\n1\\. Not a list\n\n\\# Not a heading",
  },
];

/** Clipboards with rich text in them of which the plain form is meant. */
export const PLAIN_CLIPBOARDS: readonly Omit<Clipboard, "markdown">[] = [
  {
    name: "a code editor",
    html: `<meta charset='utf-8'><div style="color: #cccccc;background-color: #1f1f1f;font-family: 'Droid Sans Mono', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #569cd6;font-weight: bold;"># Herons</span></div><br><div><span style="color: #cccccc;">They </span><span style="font-weight: bold;">**stand**</span></div></div>`,
    text: "# Herons\n\nThey **stand**",
  },
  {
    name: "Markdown that a page shows coloured",
    html: `<meta charset='utf-8'><pre><code><span class="hljs-strong">**stand**</span> and [wait](https://example.com)</code></pre>`,
    text: "**stand** and [wait](https://example.com)",
  },
  {
    name: "one link",
    html: `<meta charset='utf-8'><a href="https://example.com/herons">https://example.com/herons</a>`,
    text: "https://example.com/herons",
  },
  {
    name: "a sentence without any formatting",
    html: `<meta charset='utf-8'><span style="color: rgb(0, 0, 0); font-family: Georgia; display: inline !important;">They stand * and wait_for_it.</span>`,
    text: "They stand * and wait_for_it.",
  },
];
