import type { ApiClient } from '../../support/api-client.js';

export async function findPayment(api: ApiClient, bookingId: string) {
  const { body } = await api.get(`/v1/payments?booking_id=${bookingId}&kind=charge`);
  return body.data[0]!;
}
