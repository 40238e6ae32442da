/** The payer's link: to open, to copy, or to mail with the operator's own mail program. */
export function CheckoutLink({ url, email, room }: { url: string; email?: string; room: string }) {
  const mail = `mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(`Your booking of ${room}`)}&body=${encodeURIComponent(`Please pay here to confirm your booking:\n\n${url}\n`)}`;
  return (
    <>
      <a href={url}>Open checkout</a>
      {email && (
        <>
          {' · '}
          <a href={mail}>Email the link</a>
        </>
      )}
      <input class="copy" readOnly value={url} aria-label="Checkout link" data-copy />
    </>
  );
}
