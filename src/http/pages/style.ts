// The style of the public pages: one column on a phone, two on a wide window, light and dark.
export const STYLE = `
:root{color-scheme:light dark;--ink:#14201b;--quiet:#4d5c55;--paper:#f3f6f4;--card:#fff;--line:#d3dcd7;--mark:#0b6b4a;--on:#fff;--soft:#e4f2eb;--warn:#8a3b12;--warm:#fdf0e7}
@media (prefers-color-scheme:dark){:root{--ink:#e9f0ec;--quiet:#a9b8b0;--paper:#0d1310;--card:#161d19;--line:#2f3b35;--mark:#5fd3a6;--on:#06261a;--soft:#153327;--warn:#ffb58d;--warm:#35211a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:54rem;margin:0 auto;padding:0 1rem}
header{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding-top:.75rem;padding-bottom:.75rem}
.operator{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650}
nav{display:flex;gap:.25rem;font-size:.9375rem}
nav a,nav span{padding:.6rem .5rem;color:var(--quiet)}
nav span{color:var(--ink);font-weight:600}
h1{margin:0;font-size:1.125rem;line-height:1.35;font-weight:600;overflow-wrap:anywhere}
h2{margin:0 0 .5rem;font-size:1.0625rem}
p{margin:0 0 .75rem}
h1+p{margin-top:.5rem}
a{color:var(--mark)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.875rem;padding:1.25rem;margin-bottom:.875rem}
.card>:last-child{margin-bottom:0}
h1+.amount{margin-top:.25rem}
.amount{margin:.25rem 0 .75rem;font-size:2.125rem;line-height:1.2;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
dl{margin:0;display:grid;gap:.625rem}
dl div{display:grid;grid-template-columns:5.75rem 1fr;gap:.75rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
.state{display:flex;align-items:center;gap:.5rem;margin:1rem 0 0;padding:.625rem .875rem;border-radius:.625rem;background:var(--soft);font-weight:600}
.state::before{content:"";flex:none;width:.625rem;height:.625rem;border-radius:50%;background:var(--mark)}
.state.done::before{content:"✓";content:"✓"/"";display:grid;place-items:center;width:1.5rem;height:1.5rem;color:var(--on);font-size:.9375rem;line-height:1}
.state.ended{background:var(--warm)}
.state.ended::before{background:var(--warn)}
.note,.fault{padding:.75rem .875rem;border-radius:.625rem;background:var(--soft)}
.fault{background:var(--warm);color:var(--warn);font-weight:600}
.quiet{color:var(--quiet);font-size:.9375rem}
label{display:block;margin-bottom:.375rem;font-weight:600}
input{display:block;width:100%;min-height:3rem;padding:.5rem .75rem;border:1px solid var(--quiet);border-radius:.625rem;background:var(--card);color:inherit;font:inherit;font-size:1.125rem}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3rem;padding:.5rem 1rem;border:0;border-radius:.625rem;background:var(--mark);color:var(--on);font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
.button.second{border:1px solid var(--mark);background:none;color:var(--mark)}
p>.button{margin-bottom:.25rem}
.button.code{font-size:1.1875rem;letter-spacing:0}
noscript p{margin:.75rem 0 0}
button[disabled]{opacity:.65}
.state+.button,form+p{margin-top:1rem}
form button{margin-top:.75rem}
.button+.button{margin-top:.625rem}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.code{font:600 1.375rem/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.04em;overflow-wrap:anywhere}
.qr{display:block;width:100%;max-width:15rem;margin:0 auto .75rem;background:#fff;border-radius:.5rem}
.centre{text-align:center}
details{margin-top:.75rem}
summary{padding:.5rem 0;cursor:pointer;color:var(--mark);font-weight:600}
.print{font:.8125rem/1.45 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{padding-bottom:2rem}
footer p{margin:0;padding:.25rem 0 .25rem .875rem;border-left:4px solid var(--mark);font-size:.9375rem}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (min-width:46rem){.columns{display:grid;grid-template-columns:1fr 1fr;gap:.875rem;align-items:start}.amount{font-size:2.5rem}}
@media print{body{background:#fff}nav,footer,.no-print{display:none}.card{border-color:#999}}
`;
