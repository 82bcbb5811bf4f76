/** The style of the reference, light and dark. */
export const PAGE_STYLE = `
:root { --ink: #1c2128; --paper: #fff; --faint: #656d76; --line: #d8dee4; --tint: #f3f5f7; --link: #0a58ca; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe4ea; --paper: #15191e; --faint: #8d96a0; --line: #30363d; --tint: #1d232a; --link: #6cb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: 13px; }
nav .title { font-weight: 600; font-size: 15px; margin: 0 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0 0 .5rem .75rem; }
nav a { display: block; padding: .1rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); }
nav summary { padding: .2rem 0; font-weight: 600; cursor: pointer; }
main { max-width: 62rem; padding: 1rem 2rem 6rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin-bottom: .25rem; }
section { padding: .5rem 0 1rem; } section:target { background: var(--tint); box-shadow: 0 0 0 .75rem var(--tint); }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { padding: .75rem; overflow-x: auto; background: var(--tint); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
main summary { cursor: pointer; color: var(--faint); }
.route { margin: .25rem 0; } .facts { color: var(--faint); font-size: 13px; }
.mark { padding: 0 .35rem; border: 1px solid var(--line); border-radius: 4px; color: var(--faint); font-size: 11px; font-weight: 400; }
b { font: 600 11px ui-monospace, monospace; } .get { color: #0a7d3f; } .post { color: #0a58ca; } .put, .patch { color: #9a6200; } .delete { color: #c0392b; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
