/** The input of `presentMessage`: the rows of a message. */
interface StoredMessage {
  id: string;
  booking_ids: string[];
  sent_to: string | null;
  subject: string | null;
  text: string | null;
  created_at: Date;
}

/** A message to a booker as the API returns it (docs/rules/bookings.md#messages). */
export const presentMessage = (message: StoredMessage) => ({
  id: message.id,
  booking_ids: message.booking_ids,
  sent_to: message.sent_to,
  subject: message.subject,
  text: message.text,
  created_at: message.created_at.toISOString(),
});
export type PresentedMessage = ReturnType<typeof presentMessage>;
