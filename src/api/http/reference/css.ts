/** The style of the reference page; served beside it, because the page allows no inline style. */
export const referenceCss = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb;
  --raised: #f4f5f0;
  --ink: #1f2420;
  --soft: #5a635c;
  --line: #dde0d8;
  --link: #23663a;
  --get: #1d5d93;
  --post: #23663a;
  --change: #85570b;
  --delete: #a8322a;
  --mono: ui-monospace, "SFMono-Regular", "Cascadia Code", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151816;
    --raised: #1e2320;
    --ink: #e4e8e3;
    --soft: #a0aaa2;
    --line: #323a35;
    --link: #86cf9b;
    --get: #83bdf0;
    --post: #86cf9b;
    --change: #e3b566;
    --delete: #f2958c;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  display: grid;
  grid-template-columns: 19rem minmax(0, 1fr);
}
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
p code, dd code { background: var(--raised); padding: 0.1em 0.3em; border-radius: 3px; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
.skip { position: absolute; left: -999rem; background: var(--paper); padding: 0.5rem 1rem; z-index: 1; }
.skip:focus { left: 1rem; top: 1rem; }
.muted { color: var(--soft); }

nav {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow-y: auto;
  padding: 1.5rem 1rem 3rem 1.5rem;
  border-right: 1px solid var(--line);
  background: var(--raised);
  font-size: 0.875rem;
}
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); text-decoration: underline; }
nav .home { margin: 0 0 1rem; font-size: 1.0625rem; font-weight: 650; }
nav h2 { margin: 1.25rem 0 0.375rem; font-size: 0.875rem; font-weight: 650; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: grid; grid-template-columns: 2.75rem 1fr; padding: 0.1875rem 0; color: var(--soft); line-height: 1.35; }
nav .method { font-size: 0.6875rem; line-height: 1.7; }

main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 64rem; }
h1 { margin: 0 0 1rem; font-size: 2rem; letter-spacing: -0.015em; }
.version { color: var(--soft); font-size: 1rem; font-weight: 400; letter-spacing: 0; }
main h2 { margin: 3rem 0 0.75rem; font-size: 1.375rem; letter-spacing: -0.01em; }
header h2 { margin-top: 1.5rem; font-size: 1.125rem; }
header p, .inside > p { max-width: 44rem; }
h4 { margin: 1.5rem 0 0.375rem; font-size: 0.8125rem; font-weight: 650; color: var(--soft); }
pre {
  margin: 0.5rem 0;
  padding: 0.75rem 1rem;
  overflow-x: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 6px;
  line-height: 1.6;
}

.fold { border-top: 1px solid var(--line); }
.fold:last-of-type { border-bottom: 1px solid var(--line); }
.fold > summary { display: flex; gap: 0.75rem; padding: 0.625rem 0; cursor: pointer; list-style: none; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary::before {
  content: "";
  flex: none;
  width: 0.4rem;
  height: 0.4rem;
  margin: 0.5rem 0.125rem 0 0;
  border: solid var(--soft);
  border-width: 0 1.5px 1.5px 0;
  transform: rotate(-45deg);
}
.fold[open] > summary::before { transform: rotate(45deg); }
.fold > summary:hover .path, .fold > summary:hover h3 > code { color: var(--link); }
.fold h3 { margin: 0; flex: 1; min-width: 0; font-size: 0.9375rem; font-weight: 400; }
.operation h3 { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 0.5rem; align-items: baseline; }
.path { overflow-wrap: anywhere; font-weight: 600; }
.path var { color: var(--soft); font-style: normal; font-weight: 400; }
.what { grid-column: 2; color: var(--soft); font-size: 0.875rem; }
.inside { padding: 0 0 1.5rem 1.375rem; scroll-margin-top: 4.5rem; }
.schema .inside { scroll-margin-top: 3rem; }
.inside > :first-child { margin-top: 0; }

.method { font-family: var(--mono); font-size: 0.75rem; font-weight: 700; letter-spacing: 0.02em; color: var(--soft); }
.get { color: var(--get); }
.post { color: var(--post); }
.put, .patch { color: var(--change); }
.delete { color: var(--delete); }
.operation .method { padding: 0.125rem 0; border: 1px solid currentcolor; border-radius: 4px; text-align: center; }

.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; margin: 0.25rem 0 0; font-size: 0.875rem; }
.facts div { display: flex; gap: 0.5rem; }
dt { color: var(--soft); }
dd { margin: 0; }
.shape { margin: 0.375rem 0; font-size: 0.9375rem; overflow-wrap: anywhere; }
.status { display: inline-block; min-width: 3rem; font-family: var(--mono); font-size: 0.875em; font-weight: 700; }
.good { color: var(--post); }
.bad { color: var(--delete); }

table { width: 100%; margin: 0.375rem 0 0.75rem; border-collapse: collapse; font-size: 0.875rem; }
caption, thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
tr { border-top: 1px solid var(--line); }
tbody tr:first-child { border-top: 0; }
th, td { padding: 0.3125rem 1rem 0.3125rem 0; text-align: left; vertical-align: baseline; overflow-wrap: anywhere; }
tbody th { width: 34%; font-weight: 400; }
td.type { width: 33%; color: var(--soft); }
td.type:last-child { width: auto; }
.required { color: var(--change); font-size: 0.75rem; white-space: nowrap; }

@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; padding: 1rem; border: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: none; }
  nav section, nav h2 { display: inline; }
  nav h2 a {
    display: inline-block;
    margin: 0 0.375rem 0.5rem 0;
    padding: 0.25rem 0.625rem;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--paper);
    font-weight: 400;
  }
  nav .home { margin-bottom: 0.75rem; }
  main { padding-top: 1.5rem; }
}
@media (max-width: 36rem) {
  h1 { font-size: 1.625rem; }
  .inside { padding-left: 0; scroll-margin-top: 6rem; }
  .fold > summary { gap: 0.5rem; }
  .operation h3 { display: block; }
  .operation .method { display: inline-block; padding: 0.0625rem 0.5rem; margin-right: 0.25rem; }
  .what { display: block; margin-top: 0.125rem; }
  table, tbody, tr, tbody th, td { display: block; width: auto; }
  tr { padding: 0.375rem 0; }
  tbody th, td, td.type { width: auto; padding: 0; }
}
@media print {
  nav, .skip { display: none; }
  body { display: block; }
}
`
