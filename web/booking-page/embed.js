// Shows a booking page in a frame in place of its script element, as high as the page in it.
{
  const script = document.currentScript;
  const origin = new URL(script.src).origin;
  const frame = document.createElement('iframe');
  const { page, lang } = script.dataset;
  frame.src = `${origin}/book/${encodeURIComponent(page)}${lang ? `?lang=${encodeURIComponent(lang)}` : ''}`;
  frame.title = script.dataset.title ?? 'Book a room';
  frame.style.cssText = 'display:block;width:100%;height:24rem;border:0';
  let pages = 0;
  // The next page may be shorter: without this, people would look at what is below it.
  frame.addEventListener('load', () => {
    if (pages++ > 0 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  addEventListener('message', (event) => {
    const height = event.data?.holdfastHeight;
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    if (Number.isFinite(height) && height > 0) frame.style.height = `${Math.min(height, 20_000)}px`;
  });
  script.replaceWith(frame);
}
