// Replaces its script element with a frame that shows a booking page at the page's height.
{
  const script = document.currentScript;
  const origin = new URL(script.src).origin;
  const frame = document.createElement('iframe');
  const { page, lang, colorScheme: asked = getComputedStyle(script).colorScheme } = script.dataset;
  // Browsers show a frame as transparent only if it has the same colour scheme as its page.
  const isDark = asked.includes('dark');
  const scheme = asked === 'auto' || (isDark && asked.includes('light')) ? 'auto' : isDark ? 'dark' : 'light';
  const query = new URLSearchParams({ ...(lang && { lang }), frame: scheme });
  frame.src = `${origin}/book/${encodeURIComponent(page)}?${query}`;
  frame.title = script.dataset.title ?? 'Book a room';
  frame.style.cssText = 'display:block;width:100%;height:24rem;border:0';
  frame.style.colorScheme = scheme === 'auto' ? 'light dark' : scheme;
  let pages = 0;
  // Otherwise, if the next page is shorter, the visitor would be scrolled past its end.
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
