import { STYLE } from '../../record/report/page/style.ts';

/** The report's style, and what only the console has. */
export const CONSOLE_STYLE = `${STYLE}
.bar{max-width:none;padding:10px 20px;border-bottom:1px solid var(--line);background:var(--panel);display:flex;flex-wrap:wrap;gap:4px 18px;align-items:baseline}
.bar b{font-size:1.02rem}.bar nav{margin:0;padding:0;flex:1 1 auto;max-width:none}.bar nav ul{border:0;margin:0;padding:0}
.bar nav a[aria-current]{font-weight:600;text-decoration:underline;text-underline-offset:4px}
.bar form{display:inline}
body.broad main,body.broad footer,body.broad header:not(.bar){max-width:1460px}
main{padding-top:4px}main nav{padding:0}.head{padding-top:20px}.head+.pairs{margin-top:18px}
.filters :is(input:not([type=checkbox]),select,button){height:2.2rem;font-size:.92rem}.filters a{padding-bottom:.5rem}
main h1{margin-top:20px}
.now{color:var(--muted);font-size:.84rem}
.now[data-is=away]{color:var(--warn);font-weight:600}
.chips{display:flex;flex-wrap:wrap;gap:6px;list-style:none;padding:0;margin:10px 0}
.chips a{display:inline-block;padding:3px 11px;border:1px solid var(--line);border-radius:99px;text-decoration:none;background:var(--panel);color:var(--text);font-size:.88rem;font-variant-numeric:tabular-nums}
.chips a[aria-current]{border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link)}
.chips a.is-none{color:var(--muted)}
.filters summary{height:2.2rem;padding:.4rem 0}.filters details[open]{order:1;flex-basis:100%;margin:0}.filters .filters{margin:0 0 6px}
body.broad :is(h2,h3,h2+#told-by-server)+.scroll caption{position:absolute;left:-999em}
.filters{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:end;margin:10px 0}
label.field{display:flex;flex-direction:column;gap:2px;font-size:.82rem;color:var(--muted)}
input,select,textarea,button,.button{font:inherit;color:var(--text);background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:5px 9px;max-width:100%}
input:not([type=checkbox]){min-width:0;width:10.5em}textarea{width:100%;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87rem}
button,.button{cursor:pointer;background:var(--panel);text-decoration:none;display:inline-block}
button:hover,.button:hover{border-color:var(--link)}
button.main{background:var(--link);border-color:var(--link);color:var(--bg);font-weight:600}
button.danger{background:var(--bad);border-color:var(--bad);color:var(--bg);font-weight:600}
.actions{display:flex;flex-wrap:wrap;gap:6px;margin:14px 0 0;padding:0;list-style:none}
.actions a{font-size:.9rem;padding:4px 11px}
form.card label.field{margin:10px 0}form.card input:not([type=checkbox]),form.card textarea{width:100%;max-width:46rem}
.phase{display:inline-block;font-size:.84rem;font-weight:600;padding:0 9px;border-radius:99px;border:1px solid currentColor;white-space:nowrap}
.jobs td,.jobs th{padding-right:14px}.jobs tbody th{min-width:12em}.jobs .says{min-width:17em;max-width:38em}
.jobs tr.is-chosen,.jobs tr:focus-within{background:var(--panel);box-shadow:inset 3px 0 0 var(--link)}
.jobs td:last-child:not(.n){min-width:6em}
.told{border-left:4px solid var(--good);background:var(--good-bg);padding:8px 14px;border-radius:0 8px 8px 0;margin:12px 0}
.wrong{border-left:4px solid var(--bad);background:var(--bad-bg);padding:8px 14px;border-radius:0 8px 8px 0;margin:12px 0}
.told p,.wrong p{margin:2px 0}
.lines{height:min(62vh,44em);overflow:auto;margin:8px 0}
.lines div{content-visibility:auto;contain-intrinsic-size:auto 1.45em}
.lines mark{background:var(--warn-bg);color:var(--text)}
.nodes{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:10px;list-style:none;padding:0;margin:12px 0}
.nodes>li{border:1px solid var(--line);border-radius:10px;padding:8px 12px;background:var(--panel)}
.gpus{display:flex;flex-wrap:wrap;gap:3px;margin:6px 0;padding:0;list-style:none}
.gpus li{width:16px;height:16px;border-radius:3px;border:1px solid var(--line);background:var(--bg)}
.gpus i{display:inline-block;width:14px;height:14px;border-radius:3px;border:1px solid var(--line)}
.gpus :is(li,i).is-running{background:var(--running);border-color:var(--running)}.gpus :is(li,i).is-held{background:repeating-linear-gradient(45deg,var(--restarting) 0 3px,var(--bg) 3px 6px);border-color:var(--restarting)}.gpus :is(li,i).is-other{background:var(--muted);border-color:var(--muted)}
.legend .gpus{display:inline-flex;vertical-align:-3px;margin:0 4px 0 0}
.toast{position:fixed;right:16px;bottom:16px;max-width:30em;background:var(--text);color:var(--bg);padding:8px 14px;border-radius:8px;z-index:3}
.toast:empty{display:none}
dialog{border:1px solid var(--line);border-radius:10px;background:var(--bg);color:var(--text);padding:18px 22px}
kbd{font:inherit;font-size:.86em;border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--panel)}
@media (max-width:640px){.bar{padding:10px 16px}.filters label.field{flex:1 1 42%}.filters input,.filters select{width:100%}
.jobs thead{display:none}.jobs caption{display:block}.bar span.muted{order:1}.jobs,.jobs tbody,.jobs tr,.jobs :is(td,th){display:block;padding-right:0}.jobs tr{border-bottom:1px solid var(--line);padding:9px 0}.jobs :is(td,th){border:0;padding:1px 0;text-align:left}.jobs td:empty{display:none}.jobs td[data-is]::before{content:attr(data-is) ": ";color:var(--muted)}.jobs .says{max-width:none}.jobs td[data-is]:not(:empty){display:inline-block;margin-right:12px;min-width:0}}
@media print{.bar,.filters,.actions,.chips,.toast{display:none}}
`;
