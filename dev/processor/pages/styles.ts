/** The styles of the hosted pages; inline, so that a page is one request. */
export const STYLES = `
:root { --ink: #1a1f36; --muted: #697386; --line: #e3e8ee; --accent: #2a5bd7; --bad: #b3093c; --side: #f5f7fa; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; color: var(--ink); background: #fff;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
a { color: inherit; }
.badge { display: inline-block; padding: 1px 8px; border-radius: 4px; background: #ffde92; color: #7a4a00;
  font-size: 11px; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; vertical-align: 2px; }
.muted { color: var(--muted); }
.small { font-size: 13px; }

.checkout { display: grid; grid-template-columns: 1fr 1fr; min-height: 100vh; }
.summary { background: var(--side); display: flex; justify-content: flex-end; }
.summary > div, .payment > div { width: 100%; max-width: 440px; padding: 56px 32px; }
.summary > div { margin-right: 24px; display: flex; flex-direction: column; }
.payment > div { margin-left: 24px; }
.merchant { display: flex; gap: 10px; align-items: center; font-weight: 600; margin-bottom: 32px; }
.merchant .leave { text-decoration: none; color: var(--muted); font-size: 20px; line-height: 1; }
.total { font-size: 36px; font-weight: 650; letter-spacing: -.02em; margin: 0 0 28px; font-variant-numeric: tabular-nums; }
.lines { list-style: none; margin: 0; padding: 0; }
.lines li { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; font-weight: 500; }
.lines .amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
.lines .due { border-top: 1px solid var(--line); margin-top: 10px; padding-top: 18px; font-weight: 600; }
.fine { margin-top: auto; padding-top: 40px; }

h1 { font-size: 20px; margin: 0 0 20px; }
fieldset { border: 0; margin: 0 0 20px; padding: 0; min-width: 0; }
legend, label.above { display: block; padding: 0; font-size: 13px; font-weight: 500; color: #4f566b; margin-bottom: 6px; }
input { width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: #fff;
  border: 1px solid #d5dbe1; border-radius: 6px; box-shadow: 0 1px 1px rgb(0 0 0 / 3%); }
input:focus { position: relative; z-index: 1; outline: 3px solid rgb(42 91 215 / 25%); border-color: var(--accent); }
input[aria-invalid] { border-color: var(--bad); }
.card { display: grid; grid-template-columns: 1fr 1fr; }
.card input { border-radius: 0; }
.card .number { grid-column: 1 / -1; }
.card .number input { border-radius: 6px 6px 0 0; }
.card .expiry input { border-radius: 0 0 0 6px; border-top: 0; }
.card .cvc input { border-radius: 0 0 6px 0; border-top: 0; border-left: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.error { color: var(--bad); font-size: 13px; margin: 6px 0 0; }
.notice { background: #fff0f3; border: 1px solid #f5c2cf; border-radius: 6px; color: #8a0730;
  padding: 12px 14px; margin: 0 0 20px; }
button, .button { display: block; width: 100%; padding: 12px 16px; border: 0; border-radius: 6px; cursor: pointer;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; background: var(--accent); color: #fff; }
button:hover, .button:hover { filter: brightness(.94); }
button:focus-visible, .button:focus-visible, a:focus-visible { outline: 3px solid rgb(42 91 215 / 35%); outline-offset: 2px; }
.plain { background: #fff; color: var(--ink); border: 1px solid #d5dbe1; font-weight: 500; }
.actions { display: grid; gap: 10px; margin-top: 26px; }
.actions .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }

.message { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--side); }
.message main { width: 100%; max-width: 460px; padding: 40px 36px; background: #fff; border: 1px solid var(--line);
  border-radius: 10px; box-shadow: 0 8px 24px rgb(26 31 54 / 6%); }
.message p { margin: 0 0 20px; }
.message h1 { margin-bottom: 10px; }
.facts { margin: 0 0 24px; padding: 0; border-top: 1px solid var(--line); }
.facts div { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; border-bottom: 1px solid var(--line); }
.facts dd { margin: 0; font-weight: 500; text-align: right; overflow-wrap: anywhere; }
@media (max-width: 760px) {
  .checkout { display: block; }
  .summary { justify-content: center; }
  .summary > div, .payment > div { max-width: 520px; margin: 0 auto; padding: 28px 20px; }
  .payment { display: flex; }
  .merchant { margin-bottom: 20px; }
  .total { margin-bottom: 12px; }
  .fine { padding-top: 16px; }
}
`;
