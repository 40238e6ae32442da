/** SQL of the bookings whose bookers are to be reminded of them now. */
export const REMINDERS_DUE = `FROM bookings WHERE remind_at <= now()`;
