const isArrival = (response: Response): boolean =>
  response.status === 303 &&
  response.headers.getSetCookie().some((cookie) => /^(__Secure-)?holdfast_link=[^;]/.test(cookie));

/**
 * Opens a payer's link as a browser does, which is redirected to the page without the token, with the cookie.
 */
export async function openLink(url: string, base = new URL(url).origin): Promise<Response> {
  const { pathname, search } = new URL(url);
  const arrival = await fetch(base + pathname + search, { redirect: 'manual' });
  if (!isArrival(arrival)) return arrival;
  const cookie = arrival.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const follow = (response: Response): Promise<Response> =>
    fetch(new URL(response.headers.get('location')!, base), { redirect: 'manual', headers: { cookie } });
  const shown = await follow(arrival);
  return isArrival(shown) ? follow(shown) : shown;
}
