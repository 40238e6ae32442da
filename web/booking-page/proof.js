// Solves the form's ALTCHA challenge and sends the form.
const field = document.querySelector('input[name=proof]');
const challenge = JSON.parse(field.dataset.challenge);
const parseHex = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
async function solve({ nonce, salt, cost, keyLength, keyPrefix }) {
  const began = performance.now();
  const password = new Uint8Array(nonce.length / 2 + 4);
  password.set(parseHex(nonce));
  for (let counter = 0; ; counter++) {
    new DataView(password.buffer).setUint32(nonce.length / 2, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt: parseHex(salt), iterations: cost };
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(how, key, keyLength * 8)));
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey, time: performance.now() - began };
  }
}
// Available on https and localhost only.
if (globalThis.crypto?.subtle) {
  document.getElementById('checking').hidden = false;
  document.getElementById('unchecked').hidden = true;
  solve(challenge.parameters).then((solution) => {
    field.value = btoa(JSON.stringify({ challenge, solution }));
    field.form.requestSubmit();
  });
}
