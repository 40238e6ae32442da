/** The payer's link, to open or to copy. `mailed`: the service mails it by itself. */
export function CheckoutLink({ url, mailed }: { url: string; mailed: boolean }) {
  return (
    <>
      <a href={url}>Open checkout</a>
      {mailed && <small>The payer gets it by email in about a minute, if they have not paid by then.</small>}
      <input class="copy" readOnly value={url} aria-label="Checkout link" data-copy />
    </>
  );
}
