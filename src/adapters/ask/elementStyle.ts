/**
 * Colours follow the page: text is inherited, borders and surfaces are mixed from it, and the accent has a light and a dark form, chosen
 * by the `color-scheme` of the page or of the element.
 */
export const STYLE = `
:host {
  --accent: var(--sightline-accent, light-dark(#1a56c4, #93b8ff));
  --on-accent: var(--sightline-on-accent, light-dark(#ffffff, #0c1a33));
  --border: var(--sightline-border, color-mix(in srgb, currentColor 22%, transparent));
  --muted: var(--sightline-muted, color-mix(in srgb, currentColor 72%, transparent));
  --surface: var(--sightline-surface, color-mix(in srgb, currentColor 5%, transparent));
  --radius: var(--sightline-radius, 0.5rem);
  display: block;
  color: var(--sightline-text, light-dark(#1b1f24, #e8eaed));
  font: var(--sightline-font, 1rem/1.55 system-ui, sans-serif);
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
*, ::before { box-sizing: border-box; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
article { margin-block-end: 1.75rem; scroll-margin-block: 1rem 6rem; }
.question { margin: 0 0 0.5rem; font-size: 1.05em; font-weight: 600; line-height: 1.4; white-space: pre-wrap; }
.text > :first-child { margin-block-start: 0; }
.text > :last-child { margin-block-end: 0; }
p, ul, ol, blockquote, .wide { margin-block: 0.75em; }
h3, h4, h5 { margin: 1.25em 0 0.5em; font-size: 1em; line-height: 1.4; }
ul, ol { padding-inline-start: 1.5em; }
li { margin-block: 0.25em; }
li > ul, li > ol { margin-block: 0.25em; }
blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 3px solid var(--border); color: var(--muted); }
hr { border: 0; border-block-start: 1px solid var(--border); }
code { font: 0.9em ui-monospace, monospace; padding: 0.1em 0.3em; border-radius: 0.25em; background: var(--surface); }
pre { margin: 0; padding: 0.75em; width: max-content; min-width: 100%; background: var(--surface); }
pre code { padding: 0; background: none; white-space: pre; overflow-wrap: normal; }
.wide { overflow-x: auto; border: 1px solid var(--border); border-radius: var(--radius); }
table { border-collapse: collapse; width: 100%; font-size: 0.94em; font-variant-numeric: tabular-nums; }
th, td { padding: 0.45em 0.75em; text-align: start; vertical-align: top; overflow-wrap: normal; }
th { font-weight: 600; background: var(--surface); }
tr + tr > *, tbody tr > * { border-block-start: 1px solid var(--border); }
[data-align="right"] { text-align: end; white-space: nowrap; }
[data-align="center"] { text-align: center; }
a { color: var(--accent); text-underline-offset: 0.15em; }
/* Inline: a line may break before an inline block. */
.mark { padding: 0.15em 0.5em; border-radius: 1em; font-size: 0.75em; font-weight: 600; text-decoration: none; vertical-align: 0.15em;
  background: color-mix(in srgb, var(--accent) 14%, transparent); }
.mark:hover { background: var(--accent); color: var(--on-accent); }
.note { margin-block: 0.75em 0; color: var(--muted); }
details { margin-block-start: 0.75rem; font-size: 0.92em; }
summary { width: fit-content; padding-block: 0.15em; color: var(--muted); cursor: pointer; }
.sources { margin-block: 0.25em 0; }
.sources a { font-weight: 600; }
.sources span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; color: var(--muted); }
form { position: sticky; bottom: 0.5rem; display: flex; align-items: end; gap: 0.5rem; padding: 0.4rem; border: 1px solid var(--border); border-radius: var(--radius);
  background: var(--sightline-background, Canvas); }
form:focus-within { outline: 2px solid var(--accent); outline-offset: -1px; }
textarea { flex: 1; min-width: 0; max-height: 12em; padding: 0.45rem 0.5rem; resize: none; field-sizing: content;
  border: 0; outline: 0; background: none; color: inherit; font: inherit; }
textarea::placeholder { color: var(--muted); opacity: 1; }
button { min-height: 2.4rem; padding: 0.3rem 1rem; border: 1px solid transparent; border-radius: calc(var(--radius) * 0.75); cursor: pointer;
  font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); }
li button.quiet { margin: 0; text-align: start; }
button.quiet { margin-inline-start: 0.5rem; color: inherit; background: none; border-color: var(--border); }
form button[data-running] { color: inherit; background: none; border-color: var(--border); }
:is(a, button, summary, .wide):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) {
  [aria-busy="true"] .waiting { animation: breathe 1.6s ease-in-out infinite alternate; }
  @keyframes breathe { to { opacity: 0.55; } }
}
@media (forced-colors: active) { .mark, button { border: 1px solid; } }
`
