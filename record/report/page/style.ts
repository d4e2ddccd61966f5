/** The page's style. Colours are variables, so that charts follow light, dark and print as text does. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:#fff;--panel:#f6f7f9;--line:#d5dae1;--grid:#e6e9ee;--text:#1b2129;--muted:#535e6c;--link:#0b57a4;
--good:#17683f;--bad:#b3243b;--warn:#8a5a00;--good-bg:#e3f4ea;--bad-bg:#fbe7ea;--warn-bg:#fcf1da;--add:#e4f5e9;--del:#fde8ea;
--pending:#b4bfcd;--starting:#84b3de;--running:#2f9e77;--restarting:#e2a52f;--suspended:#a797cf;--failed:#c8384f;--completed:#17683f;--stopped:#7d6b8f;
--pod-waiting:#b4bfcd;--pod-starting:#84b3de;--pod-restarting:#e2a52f;--pod-running:#2f9e77;--pod-succeeded:#9dcdb7;--pod-failed:#c8384f;
--failure:#b3243b;--request:#6a3fb5}
@media (prefers-color-scheme:dark){:root{
--bg:#12161c;--panel:#1a2029;--line:#36404d;--grid:#262e39;--text:#e7ebf0;--muted:#a3afbd;--link:#7cb8f5;
--good:#6fd3a2;--bad:#ff93a2;--warn:#f0bf62;--good-bg:#16332a;--bad-bg:#40202a;--warn-bg:#3a2e14;--add:#15332a;--del:#40202a;
--pending:#5d6a7b;--starting:#4d86bd;--running:#2f9e77;--restarting:#d39a2c;--suspended:#8a78b8;--failed:#e0566c;--completed:#4fb489;--stopped:#9484a6;
--pod-waiting:#5d6a7b;--pod-starting:#4d86bd;--pod-restarting:#d39a2c;--pod-running:#2f9e77;--pod-succeeded:#2c6650;--pod-failed:#e0566c;
--failure:#ff93a2;--request:#c3a5ff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
a{color:var(--link)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em;unicode-bidi:isolate}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--bg);padding:6px 10px;z-index:2}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
header,main,footer,nav{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
.kind{color:var(--muted);margin:0}
h1{font-size:1.75rem;line-height:1.2;margin:2px 0 10px}
h2{font-size:1.25rem;margin:0 0 4px;scroll-margin-top:12px}
h3{font-size:1rem;margin:18px 0 6px}
section{padding:26px 0 0}
section>p:first-of-type{margin-top:0}
p{margin:6px 0 10px;max-width:78ch}
.lead{color:var(--muted)}
.outcome{display:inline-block;font-weight:600;padding:2px 12px;border-radius:99px;border:1px solid currentColor;font-size:.95rem;vertical-align:4px}
.good{color:var(--good);background:var(--good-bg)}.bad{color:var(--bad);background:var(--bad-bg)}.warn{color:var(--warn);background:var(--warn-bg)}
.verdict{font-size:1.08rem;margin:10px 0 4px;max-width:70ch}
.facts{display:flex;flex-wrap:wrap;gap:10px;margin:16px 0 0}
.facts>div{flex:1 1 150px;border:1px solid var(--line);border-radius:10px;background:var(--panel);padding:9px 14px}
dl{margin:0}dt{color:var(--muted);font-size:.82rem}dd{margin:0;font-variant-numeric:tabular-nums}
.pairs{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:6px 0 10px}
.pairs dt{font-size:.9rem}
.big{font-size:1.3rem;font-weight:600}
small,.small{font-size:.84rem}.muted{color:var(--muted)}
nav ul{display:flex;flex-wrap:wrap;gap:4px 15px;font-size:.93rem;list-style:none;padding:12px 0;margin:20px 0 0;border-block:1px solid var(--line)}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
.tag{display:inline-block;font-size:.78rem;line-height:1.35;padding:0 7px;border-radius:5px;border:1px solid var(--line);color:var(--muted);background:var(--panel);white-space:nowrap}
.tag.good{color:var(--good);background:var(--good-bg)}.tag.bad{color:var(--bad);background:var(--bad-bg)}
figure{margin:14px 0 0}figcaption{color:var(--muted);font-size:.88rem;margin-top:6px;max-width:85ch}
svg{display:block;width:100%;height:auto;font-family:inherit;overflow:visible}svg text{white-space:pre}
.narrow{display:none}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;list-style:none;padding:0;margin:6px 0 8px;font-size:.86rem;color:var(--muted)}
.legend svg{display:inline-block;width:12px;height:12px;vertical-align:-1px;margin-right:6px}
.share{width:100%;height:28px;margin:12px 0 0;border-radius:6px;overflow:hidden}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;color:var(--muted);padding:0 0 6px;font-size:.88rem}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--grid)}
thead th{color:var(--muted);font-weight:600;font-size:.82rem;border-bottom-color:var(--line)}
tbody th{font-weight:400}
.mono,td code,pre,dd,td:last-child{overflow-wrap:anywhere}td:last-child:not(.n){min-width:11em}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}thead th.n{white-space:normal}.entry{white-space:nowrap}
.t{white-space:nowrap;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;margin:8px 0}
.card{border:1px solid var(--line);border-radius:10px;padding:14px 18px;margin:14px 0;background:var(--bg)}
.card.fail{border-left:4px solid var(--failure)}
.card h3{margin:0 0 6px}
pre{background:var(--panel);border:1px solid var(--grid);border-radius:8px;padding:10px 12px;margin:6px 0;overflow-x:auto;white-space:pre-wrap;line-height:1.45;tab-size:4}
pre.log{max-height:26em;overflow-y:auto}
pre code{font-size:inherit}
summary{cursor:pointer;padding:4px 0;color:var(--link)}
details{margin:4px 0}
ins,del{text-decoration:none;display:block}ins{background:var(--add)}del{background:var(--del)}
ins::before{content:"+ "}del::before{content:"- "}.same{display:block}.same::before{content:"  "}.gap{display:block;color:var(--muted)}
.empty{color:var(--muted)}
.filter{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;margin:8px 0}
.filter input{font:inherit;padding:5px 9px;border:1px solid var(--line);border-radius:6px;background:var(--bg);color:var(--text);min-width:0;width:18em;max-width:100%}
[hidden]{display:none!important}
.notice{border-left:4px solid var(--warn);background:var(--warn-bg);color:var(--text);padding:8px 14px;border-radius:0 8px 8px 0;margin:12px 0}
.notice p{margin:2px 0}
.ledger tbody tr{content-visibility:auto;contain-intrinsic-size:auto 34px}
.ledger :is(td,th):nth-child(2){white-space:nowrap;font-variant-numeric:tabular-nums}
footer{margin-top:40px;padding-top:16px;padding-bottom:40px;border-top:1px solid var(--line);color:var(--muted);font-size:.86rem}
@media (max-width:640px){
body{font-size:16px}header,main,footer,nav{padding-left:16px;padding-right:16px}
h1{font-size:1.45rem}.wide{display:none}.narrow{display:block}
.facts{gap:8px}.facts>div{flex-basis:140px;padding:8px 11px}
.pairs{grid-template-columns:1fr;gap:0}.pairs dd{margin-bottom:6px}
.card{padding:12px 13px}.late,.ledger :is(td,th):is(:nth-child(3),:nth-child(5)){display:none}th,td{padding-right:8px}.ledger :is(td,th):nth-child(2){white-space:normal}.t{white-space:normal;min-width:6.5em}td:last-child:not(.n){min-width:9em}
}
@media print{
:root{color-scheme:light;
--bg:#fff;--panel:#fff;--line:#bbb;--grid:#ddd;--text:#000;--muted:#444;--link:#000;--good:#17683f;--bad:#b3243b;--warn:#8a5a00;--good-bg:#fff;--bad-bg:#fff;--warn-bg:#fff;--add:#eaf6ee;--del:#fdecee;
--pending:#c3ccd8;--starting:#9cc3e6;--running:#4fb08c;--restarting:#e9b650;--suspended:#b7aad8;--failed:#c8384f;--completed:#4fb08c;--stopped:#a093ae;
--pod-waiting:#c3ccd8;--pod-starting:#9cc3e6;--pod-restarting:#e9b650;--pod-running:#4fb08c;--pod-succeeded:#b3d9c8;--pod-failed:#c8384f;--failure:#b3243b;--request:#6a3fb5}
body{font-size:10.5pt}header,main,footer,nav{max-width:none;padding-left:0;padding-right:0}
nav,.skip,.filter{display:none}
svg,.tag,ins,del,.outcome{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.wide{display:block}.narrow{display:none}.late{display:table-cell}
h2,h3,caption,summary{break-after:avoid}figure,.card,tr,.facts,.share{break-inside:avoid}
thead{display:table-header-group}
section{padding-top:14pt}section.new-page{break-before:page}
.scroll{overflow:visible}pre.log{max-height:none}
details::details-content{content-visibility:visible;height:auto}
details.large:not([open])::details-content{content-visibility:hidden;height:0}
a{text-decoration:none}
.ledger tbody tr{content-visibility:visible}
@page{margin:16mm 14mm}
}
`;
