/** The payer's link, to open or to copy, and whether the service has mailed it or will. */
export function CheckoutLink({ url, mail }: { url: string; mail: 'sent' | 'queued' | null }) {
  return (
    <>
      <a href={url}>Open checkout</a>
      {mail === 'sent' && <small>Emailed to the payer.</small>}
      {mail === 'queued' && (
        <small>The payer gets it by email in about a minute, if they have not paid by then.</small>
      )}
      <input class="copy" readOnly value={url} aria-label="Checkout link" data-copy />
    </>
  );
}
