declare const process: { env: { DAY: string } };

/** The input for the clients' day, from test/clients/clients-day.ts. */
export const day = JSON.parse(process.env.DAY) as {
  url: string;
  /** Returns a status that the document does not have. */
  later_url: string;
  pay_url: string;
  token: string;
  email: string;
  idempotency_key: string;
  start_at: string;
  end_at: string;
  later_end_at: string;
};

/** Pays at the payment processor, as the payer's browser does. */
export async function pay(checkoutUrl: string): Promise<void> {
  const session = /cs_\w+/.exec(checkoutUrl)![0];
  const { status } = await fetch(`${day.pay_url}/${session}/pay`, { method: 'POST' });
  if (status >= 300) throw new Error(`the payment returned ${status}`);
}
