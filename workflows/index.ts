export { adoptRefunds } from './adopt-refunds.js';
export { booking } from './booking.js';
export { invoiceCheckout } from './invoice-checkout.js';
export { processorOnboarding } from './processor-onboarding.js';
export { refund } from './refund.js';
export { selfHeal } from './self-heal.js';
export { verifyPayment } from './verify-payment.js';
