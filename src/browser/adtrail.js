/**
 * Measures visits of a website and sends them to adtrail. Served at /adtrail.js, minified by `npm run build`.
 *
 *   <script async src="https://HOST/adtrail.js" data-key="WEB_KEY"></script>
 *
 * No cookie and no dependency: visitor, session and whatever has not arrived yet are kept in localStorage. Visitors who
 * send Do Not Track or Global Privacy Control are not measured at all. With data-consent="required" nothing is kept or
 * sent before adtrail.consent(true); adtrail.optOut() ends it for good, and what was kept is gone.
 */
(function (window, document, navigator) {
  const script = document.currentScript || document.querySelector('script[data-key][src*="adtrail.js"]');
  const early = (window.adtrail && window.adtrail.q) || [];
  const refused =
    navigator.globalPrivacyControl ||
    [navigator.doNotTrack, window.doNotTrack].some((value) => value === '1' || value === 'yes');
  const nothing = function () {};
  if (!script || refused) {
    window.adtrail = Object.assign(function () {}, { consent: nothing, optOut: nothing, optIn: nothing });
    return;
  }

  const service = (script.getAttribute('data-endpoint') || new URL(script.src).origin).replace(/\/$/, '');
  const key = encodeURIComponent(script.getAttribute('data-key') || '');
  const endpoint = `${service}/collect/v1/web?web-key=${key}`;
  const SESSION_MS = 30 * 60000;
  const CAMPAIGN = new RegExp(
    '^(utm_.+|gclid|[gw]braid|dclid|fbclid|ttclid|msclkid|twclid|li_fat_id|sccid|rdt_cid|epik|qclid|yclid|tblci|' +
      'dicbo|obclid|cto_pld|irclickid|cjevent|awc|sscid|ransiteid|tduid|admitad_uid)$',
    'i',
  );
  // sendBeacon and keepalive take 64 kB; the queue is bounded, so that a site long offline keeps its latest events.
  const MAX_BATCH = 50;
  const MAX_BYTES = 60000;
  const MAX_QUEUE = 500;
  const memory = {};

  /** localStorage, or this page's memory where the browser refuses it. */
  function load(name, otherwise) {
    try {
      const text = window.localStorage.getItem(name);
      if (text !== null) return JSON.parse(text) || otherwise;
    } catch {
      // Refused, or not ours: what this page knows counts.
    }
    return memory[name] || otherwise;
  }
  function save(name, value) {
    memory[name] = value;
    try {
      window.localStorage.setItem(name, JSON.stringify(value));
      delete memory[name];
    } catch {
      // Refused or full: memory has it.
    }
  }

  function remove(name) {
    delete memory[name];
    try {
      window.localStorage.removeItem(name);
    } catch {
      // Refused: nothing is there.
    }
  }

  const YES = 1;
  const NO = 2;
  const needsConsent = script.getAttribute('data-consent') === 'required';
  /** What happened before consent: kept by this page only. */
  let waiting = [];

  /** Runs `work` where the visitor is measured; later, where that is not decided yet; else never. */
  function whenAllowed(work) {
    const choice = load('adtrail_choice', needsConsent ? 0 : YES);
    if (choice === YES) work();
    else if (!choice) waiting = waiting.concat(work).slice(-MAX_QUEUE);
  }
  function choose(choice) {
    const held = waiting;
    waiting = [];
    save('adtrail_choice', choice);
    if (choice === YES) for (const work of held) work();
    else ['adtrail', 'adtrail_queue'].forEach(remove);
  }

  function newId() {
    if (window.crypto.randomUUID) return window.crypto.randomUUID();
    return Array.from(window.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      (byte + 256).toString(16).slice(1),
    ).join('');
  }

  /** The campaign that an address names; empty for none. */
  const campaignOf = (search) =>
    Array.from(new URLSearchParams(search))
      .filter(([name, value]) => value && CAMPAIGN.test(name))
      .join('&');

  /**
   * Visitor and session of an event that happens now. A new session begins after 30 minutes of inactivity and with a
   * new campaign.
   */
  function visit(now, campaign) {
    const state = load('adtrail', {});
    if (!state.v) state.v = newId();
    if (!state.s || !(now - state.t < SESSION_MS) || (campaign && campaign !== state.c)) {
      state.s = newId();
      state.c = campaign;
    }
    state.t = now;
    save('adtrail', state);
    return state;
  }

  let page = '';
  let timer;
  let failures = 0;
  let sending = false;
  const handed = {};

  function record(type, more, campaign) {
    const now = Date.now();
    const url = window.location.href;
    whenAllowed(() => store(type, more, campaign, now, url));
  }
  function store(type, more, campaign, now, url) {
    const state = visit(now, campaign);
    const event = {
      event_id: newId(),
      type,
      time: new Date(now).toISOString(),
      visitor_id: state.v,
      session_id: state.s,
      url,
      user_id: state.u,
      ...more,
    };
    save('adtrail_queue', load('adtrail_queue', []).concat(event).slice(-MAX_QUEUE));
    schedule(50);
  }

  function schedule(ms) {
    clearTimeout(timer);
    timer = setTimeout(flush, ms);
  }

  /** The body of the next batch and what is in it; nothing where all has been sent. */
  function batch(skip) {
    const events = [];
    let bytes = 20;
    for (const event of load('adtrail_queue', [])) {
      const size = JSON.stringify(event).length * 3;
      if (skip[event.event_id]) continue;
      if (events.length === MAX_BATCH || (events.length && bytes + size > MAX_BYTES)) break;
      events.push(event);
      bytes += size;
    }
    return events.length && { events, body: JSON.stringify({ events }), small: bytes <= MAX_BYTES };
  }

  function forget(events) {
    const gone = {};
    for (const event of events) gone[event.event_id] = 1;
    save(
      'adtrail_queue',
      load('adtrail_queue', []).filter((event) => !gone[event.event_id]),
    );
  }

  function flush() {
    const next = !sending && batch({});
    if (!next) return;
    sending = true;
    fetch(endpoint, { method: 'POST', body: next.body, keepalive: next.small, credentials: 'omit' })
      .then((response) => {
        // What the collector refuses for good would be refused again.
        if (!response.ok && (response.status >= 500 || response.status === 429 || response.status === 408))
          throw response;
        failures = 0;
        forget(next.events);
        sending = false;
        flush();
      })
      .catch(() => {
        sending = false;
        schedule(Math.min(60000, 1000 * 2 ** failures++));
      });
  }

  /**
   * As the page goes, everything is handed to the browser. It stays queued, because nobody learns whether it arrives;
   * sent twice it counts once.
   */
  function leave() {
    for (let next; (next = batch(handed)) && navigator.sendBeacon && navigator.sendBeacon(endpoint, next.body);) {
      for (const event of next.events) handed[event.event_id] = 1;
    }
  }

  const address = () => window.location.href.replace(/#(?![/!]).*$/, '');

  function pageView(referrer) {
    page = address();
    record('page_view', { referrer }, campaignOf(window.location.search));
  }
  /** A page of a single-page site: another address, its fragment only where it is a route. */
  function navigated() {
    if (address() !== page) pageView(page);
  }

  const commands = {
    /** adtrail('event', name, {revenue, user_id, ...properties}) */
    event(name, details) {
      const { revenue, user_id, ...properties } = details || {};
      if (user_id !== undefined) commands.user(user_id);
      record('event', { name: String(name), revenue, properties });
    },
    /** adtrail('user', id): the site's own ID of the visitor, sent with every event from now on; null forgets it. */
    user(id) {
      whenAllowed(() => {
        const state = load('adtrail', {});
        state.u = id === null ? undefined : String(id);
        save('adtrail', state);
      });
    },
    /** adtrail.consent(true): the visitor agrees, and what happened on this page so far counts; false: refuses. */
    consent: (given) => choose(given ? YES : NO),
    /** adtrail.optOut(): never measured again on this website; what was kept is gone. */
    optOut: () => choose(NO),
    /** adtrail.optIn(): as if the visitor had never chosen. */
    optIn: () => remove('adtrail_choice'),
  };
  window.adtrail = function (command, ...rest) {
    if (Object.hasOwnProperty.call(commands, command)) commands[command](...rest);
  };
  Object.assign(window.adtrail, { consent: commands.consent, optOut: commands.optOut, optIn: commands.optIn });

  function start() {
    pageView(document.referrer);
    for (const name of ['pushState', 'replaceState']) {
      const original = window.history[name];
      window.history[name] = function (...rest) {
        const result = original.apply(this, rest);
        navigated();
        return result;
      };
    }
    window.addEventListener('popstate', navigated);
    window.addEventListener('hashchange', navigated);
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', (event) => event.persisted && pageView(document.referrer));
    window.addEventListener('online', () => schedule(0));
    document.addEventListener('visibilitychange', () =>
      document.visibilityState === 'hidden' ? leave() : schedule(0),
    );
    for (const call of early) window.adtrail(...call);
  }
  if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true });
  else start();
})(window, document, navigator);
