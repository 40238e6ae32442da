import { Client } from './client.js';
import { CARDS } from './invoice-payments.js';
import type { Page } from './requests.js';
import type { ChaosWorkspace } from './scene.js';

interface Managed {
  workspace: ChaosWorkspace;
  id: string;
  link: string;
}

/** The hidden fields of a page, by name. */
const hiddenFields = ({ html }: Page): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );

/**
 * Guests who pay for a booking and then open its manage link, cancel for the refund that they were shown,
 * move and pay the difference, or withdraw the move. The office occasionally cancels, moves and refunds the
 * same booking.
 */
export class ChaosGuests extends Client {
  readonly #mine: Managed[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    if (this.#mine.length === 0 || random.chance(0.4)) await this.#book(random.pick(this.workspaces));
    else await this.#manage(random.pick(this.#mine.slice(-6)));
  }

  async #book(workspace: ChaosWorkspace): Promise<void> {
    const booked = await this.bookFor(workspace);
    if (!booked) return;
    const { id, manage_url: link, checkout_url } = booked;
    this.#mine.push({ workspace, id, link: link! });
    // Some open the link before they pay, or never pay.
    if (checkout_url && this.random.chance(0.9))
      await this.payments.payAt(checkout_url, this.random.pick([CARDS[0]!, CARDS[2]!]));
  }

  /** Uses the link, often in several ways at the same moment, as if from two devices. */
  async #manage(booking: Managed): Promise<void> {
    const { random } = this;
    const ways = [this.#cancel, this.#move, this.#move, this.#move, this.#withdraw, this.#read, this.#office];
    const chosen = Array.from({ length: this.random.chance(0.4) ? 2 : 1 }, () => random.pick(ways));
    await Promise.all(chosen.map((way) => way.call(this, booking)));
  }

  /** Opens a page of the link, or submits one of its forms. Null unless there is a response. */
  #open({ link }: Managed, path: string, form?: Record<string, string>): Promise<Page | null> {
    this.journal.manageLinks++;
    return this.requests.page(`manage link${path.split('?')[0]}`, link + path, form);
  }

  /** The form on a page that asks the guest to confirm; null if it has none. */
  async #asked(
    booking: Managed,
    path: string,
    field: string,
  ): Promise<(Record<string, string> & { shown: string }) | null> {
    const page = await this.#open(booking, path);
    const fields = page?.status === 200 ? hiddenFields(page) : {};
    const shown = fields[field];
    if (shown === undefined) return null;
    await this.requests.pause(this.random.between(0, 1_000));
    return { ...fields, shown };
  }

  async #send(booking: Managed, path: string, form: Record<string, string>): Promise<Page | null> {
    const page = await this.#open(booking, path, form);
    if (page?.status === 303) this.journal.managed++;
    return page;
  }

  async #read(booking: Managed): Promise<void> {
    await this.#open(booking, this.random.pick(['', '/booking.ics', '/receipt.pdf', '/move']));
  }

  async #cancel(booking: Managed): Promise<void> {
    const asked = await this.#asked(booking, '/cancel', 'refund_minor');
    if (!asked) return;
    const { acceptedRefunds } = this.journal;
    const accepted = acceptedRefunds.get(booking.id) ?? new Set();
    acceptedRefunds.set(booking.id, accepted.add(Number(asked.shown)));
    await this.#send(booking, '/cancel', asked);
  }

  async #move(booking: Managed): Promise<void> {
    const { start_at, end_at } = this.hours.slot();
    const minutes = (Date.parse(end_at) - Date.parse(start_at)) / 60_000;
    const asked = await this.#asked(
      booking,
      `/move?minutes=${minutes}&start=${start_at}`,
      'difference_minor',
    );
    if (!asked) return;
    const page = await this.#send(booking, '/move', asked);
    if (page?.status !== 200) return;
    const paid = this.random.chance(0.7) && this.payments.payAt(page.html);
    if (this.random.chance(0.3)) await this.#withdraw(booking);
    await paid;
  }

  async #withdraw(booking: Managed): Promise<void> {
    await this.#send(booking, '/withdraw', {});
  }

  /** What the operator does with the booking in the meantime. */
  async #office({ workspace, id }: Managed): Promise<void> {
    const { requests } = this;
    await (this.random.chance(0.5)
      ? requests.send('change', () => requests.api(workspace).patch(`/v1/bookings/${id}`, this.hours.slot()))
      : requests.send('cancel', () =>
          requests.api(workspace).post(`/v1/bookings/${id}/cancel`, { refund_policy: 'none' }),
        ));
  }
}
