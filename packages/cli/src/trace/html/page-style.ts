/** The style sheet of a trace: for narrow and wide windows, light and dark. */
export const PAGE_STYLE = `
:root {
  --ground: #fff; --card: #f6f8fa; --line: #d0d7de; --text: #1f2328; --quiet: #59636e;
  --good: #1a7f37; --bad: #b3261e; --open: #8a5a00; --link: #0758b8; --marked: #fff3bf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --card: #161b22; --line: #30363d; --text: #e6edf3; --quiet: #9198a1;
    --good: #57d364; --bad: #ff8a80; --open: #e3b341; --link: #79b8ff; --marked: #4b3b00;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 6rem; max-width: 68rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
code, pre, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .875rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
ol, ul { margin: .25rem 0; padding-left: 1.25rem; }
nav ol { list-style: none; padding: 0; margin: 0; }
nav a { display: flex; gap: .5rem; padding: .3rem .5rem; text-decoration: none; color: inherit; border-radius: .4rem; }
nav a:hover { background: var(--card); }
.quiet, .not-reached, .skipped { color: var(--quiet); }
.matched, .true { color: var(--good); }
.failed, .error { color: var(--bad); }
.undetermined, .unknown { color: var(--open); }
.mark { display: inline-block; width: 1.2rem; text-align: center; flex: none; font-weight: 700; }
.name { font-weight: 600; }
.outcome { font-weight: 600; padding: .6rem .8rem; border: 1px solid var(--line); border-left: .3rem solid var(--good);
  border-radius: .4rem; background: var(--card); margin: .75rem 0; }
.outcome.open { border-left-color: var(--open); }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .55rem .8rem; border-radius: .5rem; }
summary p { margin-left: 1.2rem; }
.inside { padding: 0 .8rem .8rem; }
.source, .drawn { background: var(--card); border-radius: .4rem; padding: .6rem .8rem; margin: .6rem 0 0; }
.source { white-space: pre-wrap; line-height: 1.9; }
.drawn .whole { line-height: 1.7; }
summary code, p code { background: var(--card); border-radius: .25rem; padding: 0 .2rem; }
.drawn { overflow-x: auto; line-height: 1.25; margin-top: .3rem; }
.drawn.wide { display: none; }
.part { border-bottom: 2px solid var(--line); padding-bottom: .1rem; }
.part.true { color: inherit; border-color: var(--good); }
.part.false { border-color: var(--quiet); }
.part.error { color: inherit; border-color: var(--bad); }
.part.unknown { color: inherit; border-color: var(--open); }
.part.skipped { border-bottom-style: dotted; }
.part > .value { display: none; }
.part:hover:not(:has(.part:hover)), .part:focus { background: var(--marked); outline: none; border-radius: .2rem; }
.part:hover:not(:has(.part:hover)) > .value, .part:focus > .value { display: block; }
body:has(.part:hover) .part:focus:not(:hover) > .value { display: none; }
.value { position: fixed; z-index: 1; left: 0; right: 0; bottom: 0; padding: .7rem 1rem; background: var(--card); color: var(--text);
  border-top: 2px solid var(--line); white-space: pre-wrap; line-height: 1.4; max-height: 40vh; overflow: auto; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.action { margin: .7rem 0 0; padding-left: .8rem; border-left: 3px solid var(--line); }
dl { margin: .3rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .35rem 1rem; }
.before { color: var(--quiet); text-decoration: line-through; text-decoration-color: var(--quiet); }
.message { background: var(--card); border-radius: .4rem; padding: .6rem .8rem; }
.message p { margin: 0; }
.sides { display: grid; gap: 0 1rem; }
.sides > * { min-width: 0; }
@media (min-width: 56rem) {
  .drawn.wide { display: block; }
  .drawn.narrow, .source.replaced { display: none; }
  .sides { grid-template-columns: 1fr 1fr; }
}
@media print { details > * { display: block; } .drawn.wide { display: block; } .drawn.narrow { display: none; } }
`;
