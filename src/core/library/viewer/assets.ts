import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"

/** The viewer's style: light or dark as the reader's system, narrow screens first. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f5f6f8;--ink:#1b1f27;--soft:#565e6c;--line:#d9dde4;--accent:#0b5cad;--mark:#ffe27a;--mark-ink:#2a2100;--alert:#a3261c;--tint:#eef1f6;--here:#fff3c9}
@media (prefers-color-scheme:dark){:root{--paper:#191c22;--ground:#101216;--ink:#e6e9ef;--soft:#a3abb9;--line:#343a46;--accent:#85b9f5;--mark:#6d5600;--mark-ink:#fff6d6;--alert:#ff9d94;--tint:#22262e;--here:#423715}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
html:has(audio){scroll-padding-top:5.5rem}
html:has(video){scroll-padding-top:calc(40vh + 2rem)}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
a:focus-visible,[tabindex="0"]:focus-visible,audio:focus-visible,video:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
.skip{position:absolute;left:-999rem}
.skip:focus{left:.5rem;top:.5rem;padding:.5rem .75rem;background:var(--paper);z-index:2}
header,main,nav,footer{max-width:52rem;margin:0 auto;padding:0 1rem}
main nav{padding:0}
header{padding-top:1.5rem}
header h1{font-size:1.4rem;line-height:1.3;margin:0 0 .25rem}
.facts{margin:0 0 .6rem;color:var(--soft);font-size:.9rem}
.facts span+span::before{content:"\\00b7";margin:0 .4rem}
.facts .failed{color:var(--alert);font-weight:600}
.actions{margin:.6rem 0 1rem}
.button{display:inline-block;padding:.4rem .8rem;border:1px solid var(--line);border-radius:.4rem;background:var(--paper);text-decoration:none;font-size:.9rem}
.button:hover{border-color:var(--accent)}
.notice{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:.4rem;background:var(--paper)}
.notice.failed{border-left-color:var(--alert)}
.notice h2{margin:0 0 .25rem;font-size:1rem}
.notice p,.notice ul{margin:0}
.notice ul{padding-left:1.2rem}
.player{position:sticky;top:0;z-index:1;padding:.5rem 0;background:var(--ground)}
audio,video{display:block;width:100%}
video{max-height:40vh;background:#000;border-radius:.4rem}
article{background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin-bottom:1.5rem}
@media (min-width:40rem){article{padding:1.5rem 2rem}}
article>:first-child,section>:first-child{margin-top:0}
article>:last-child,section>:last-child{margin-bottom:0}
section+section{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
section:target{box-shadow:-.5rem 0 0 var(--paper),calc(-.5rem - 3px) 0 0 var(--accent)}
h2,h3,h4,h5,h6{line-height:1.3;margin:1.4em 0 .5em}
h2{font-size:1.25rem}h3{font-size:1.12rem}h4{font-size:1.03rem}h5,h6{font-size:1rem}
h2.place{font-size:.8rem;font-weight:600;color:var(--soft);letter-spacing:.03em;margin:0 0 .75rem}
article p,article li,article td,article h2,article h3,article h4,article h5,article h6{white-space:pre-wrap;unicode-bidi:plaintext}
article p{margin:0 0 .8em}
article ul{margin:0 0 .8em;padding-left:1.3rem}
.label{display:inline-block;font-size:.75rem;font-weight:600;color:var(--soft);border:1px solid var(--line);border-radius:.3rem;padding:0 .35rem;margin-right:.25rem}
.note{background:var(--tint);border-radius:.4rem;padding:.5rem .75rem}
.picture{position:relative;margin:0 0 1em;border:1px solid var(--line);border-radius:.4rem;overflow:hidden}
.picture>*{display:block;width:100%;height:auto}
.picture>svg{position:absolute;inset:0;height:100%;fill:#ffd83d;fill-opacity:.45;mix-blend-mode:multiply}
.wide{overflow:auto;max-height:85vh;margin:0 0 1em;border:1px solid var(--line);border-radius:.4rem;max-width:100%}
table{border-collapse:collapse;font-size:.9rem;width:max-content;min-width:100%}
td,th{border-bottom:1px solid var(--line);border-right:1px solid var(--line);padding:.3rem .6rem;text-align:start;vertical-align:top;overflow-wrap:normal;min-width:2.5rem;max-width:18rem}
tr:last-child>*{border-bottom:0}tr>:last-child{border-right:0}
th{background:var(--tint);color:var(--soft);font-weight:400;font-variant-numeric:tabular-nums;text-align:end}
thead{position:sticky;top:0;z-index:1}
thead td{background:var(--tint)}
td.merged{color:var(--soft)}
th[scope=col]{color:var(--ink);font-weight:600;text-align:start}
tr:has(mark)>td{background:var(--tint)}
td.number,th.number[scope=col]{text-align:end;font-variant-numeric:tabular-nums}
tr:has(:target,.here)>*,tr.here>*{background:var(--here)}
tr.here>:first-child{box-shadow:inset 3px 0 var(--accent)}
.speech:target,.speech.here{background:var(--tint)}
tr:has(:target,.here)>th{color:var(--accent);font-weight:700}
header:has(+main>.report),main:has(>.report){max-width:72rem}
.chart{margin:0 0 1.25rem}
.chart figcaption{margin-bottom:.5rem;color:var(--soft);font-size:.9rem}
.chart svg{display:block;overflow:visible;font-size:.85rem;fill:var(--ink)}
.chart .name{overflow:hidden}
.chart rect,.chart circle{fill:var(--accent);fill-opacity:.55}
.chart .ground{fill:var(--tint);fill-opacity:1}
.chart .cited text{font-weight:700}
.chart .cited rect:not(.ground),.chart circle.cited{fill-opacity:1}
.chart line{stroke:var(--line)}
.chart polyline{fill:none;stroke:var(--accent);stroke-width:2}
.speech{padding:.2rem .5rem;border-radius:.4rem}
.speech>a{display:inline-block;min-width:3.2rem;font-variant-numeric:tabular-nums;text-decoration:none}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.15rem;box-decoration-break:clone;-webkit-box-decoration-break:clone;scroll-margin:5rem}
.parts{display:flex;justify-content:space-between;align-items:center;gap:.75rem;margin-bottom:1rem;font-size:.9rem;color:var(--soft)}
.parts>:last-child{text-align:end}
@media print{.actions,.player,.parts,.skip{display:none}article{border:0;padding:0}}
`

/**
 * Scrolls to the cited passage, or to the place in the URL, and loads another part of the document if the place is there.
 * For a second, it also moves the player; it plays only after a click on the page. The text follows the player.
 */
export const SCRIPT = `
(() => {
  const media = document.querySelector("audio,video")
  const saidUntil = (second) => {
    let found = null
    for (const said of document.querySelectorAll("[data-t]")) if (Number(said.dataset.t) <= second) found = said
    return found
  }
  const mark = (said) => {
    for (const other of document.querySelectorAll(".here")) other.classList.remove("here")
    if (said) said.classList.add("here")
  }
  const go = (asked) => {
    const anchor = location.hash.slice(1) || (asked ? "" : document.body.dataset.at || "")
    const time = /^t=([0-9]+(?:[.][0-9]+)?)$/.exec(anchor)
    const row = /^row=[0-9]+$/.test(anchor) && document.querySelector('th[id$="!' + anchor.slice(4) + '"]')
    let target = document.getElementById(anchor) || row || null
    const page = new URL(location.href)
    if (anchor && !target && document.body.dataset.parts > 1 && page.searchParams.get("at") !== anchor) {
      page.searchParams.set("at", anchor)
      page.searchParams.delete("part")
      return location.replace(page)
    }
    if (time) {
      const second = Number(time[1])
      target = saidUntil(second) || target
      if (media) {
        media.currentTime = second
        if (asked) media.play().catch(() => {})
      }
    }
    mark(time || row ? target : null)
    const cited = !asked && document.getElementById("cited")
    const shown = cited || target
    if (!shown) return
    shown.scrollIntoView({ block: cited || time ? "center" : "start" })
    // Somebody who already moves through the page keeps the focus.
    if (!asked && [document.body, shown].includes(document.activeElement)) {
      shown.tabIndex = -1
      shown.focus({ preventScroll: true })
    }
  }
  if (media)
    media.addEventListener("timeupdate", () => {
      const said = media.paused ? null : saidUntil(media.currentTime)
      if (!said || said.classList.contains("here")) return
      mark(said)
      said.scrollIntoView({ block: "nearest" })
    })
  addEventListener("hashchange", () => go(true))
  go(false)
  // After loading, the browser scrolls to the fragment by itself, away from the cited passage.
  addEventListener("load", () => requestAnimationFrame(() => go(false)))
})()
`

export const hashForPolicy = (text: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => `'sha256-${Base64.encode(new Uint8Array(digest))}'`,
  )

/** The content security policy: allows the viewer's own style and script, pictures and media of this origin, and the icon in the page. The console shows pages in a frame. */
export const policy = Effect.runSync(
  Effect.cached(
    Effect.map(
      Effect.all([hashForPolicy(STYLE), hashForPolicy(SCRIPT)]),
      ([style, script]) =>
        `default-src 'none'; style-src ${style}; script-src ${script}; img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    ),
  ),
)
