// Adds to forms that work without it: drafts that a reload keeps, keys, what is still open, bracketed parts to insert.
"use strict";

(() => {
  const form = document.querySelector("form[data-work]");
  if (!form) return;
  const status = document.getElementById("status");
  const groups = [...form.querySelectorAll("fieldset.asked")];
  const texts = [...form.querySelectorAll("textarea")];

  // -- drafts: kept in this tab at once, and by the server a moment later --------------------------------------------
  const key = "draft " + form.dataset.work;
  const read = () => [...new FormData(form).entries()].filter(([name]) => !name.startsWith("_"));
  const store = {
    get() { try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; } },
    set(pairs) { try { sessionStorage.setItem(key, JSON.stringify(pairs)); } catch { /* a full or closed store */ } },
    clear() { try { sessionStorage.removeItem(key); } catch { /* as above */ } },
  };
  const restore = (pairs) => {
    for (const input of form.querySelectorAll("input[type=radio], input[type=checkbox]"))
      input.checked = pairs.some(([name, value]) => name === input.name && value === input.value);
    for (const text of texts) {
      const pair = pairs.find(([name]) => name === text.name);
      if (pair) text.value = pair[1];
    }
  };
  const kept = store.get();
  if (Array.isArray(kept) && !form.dataset.refused) restore(kept);

  let timer = 0;
  let unsent = false;
  const send = (last) => {
    if (!unsent || !form.dataset.drafts) return;
    unsent = false;
    fetch(form.dataset.drafts, { method: "POST", body: new URLSearchParams(new FormData(form)), keepalive: last, redirect: "error" })
      .then((answer) => { if (answer.ok) say("Draft kept"); else unsent = true; })
      .catch(() => { unsent = true; });
  };
  const changed = () => {
    store.set(read());
    unsent = true;
    clearTimeout(timer);
    timer = setTimeout(send, 1500, false);
    show();
  };
  form.addEventListener("input", changed);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden" && !sent) send(true); });

  // -- a form is sent once --------------------------------------------------------------------------------------------
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) { event.preventDefault(); return; }
    sent = true;
    clearTimeout(timer);
    store.clear();
    say("Sending …");
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // -- what is still open ---------------------------------------------------------------------------------------------
  const answered = (group) => group.querySelector("input:checked") !== null;
  const optional = (group) => group.dataset.kind === "several";
  const open = () => groups.filter((group) => !optional(group) && !answered(group)).length
    + texts.filter((text) => text.required && !text.value.trim()).length;
  const all = groups.filter((group) => !optional(group)).length + texts.filter((text) => text.required).length;
  let said = "";
  function say(text) { said = text; show(); }
  function show() {
    if (!status) return;
    const left = open();
    const text = left && all > 1 ? `${all - left} of ${all} answered` : "";
    status.textContent = [text, said].filter(Boolean).join(" · ");
  }

  // -- bracketed parts are inserted, not typed ------------------------------------------------------------------------
  for (const list of form.querySelectorAll("[data-insert-into]")) {
    const text = document.getElementById(list.dataset.insertInto);
    for (const item of list.querySelectorAll("[data-insert]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.textContent = item.textContent;
      button.setAttribute("aria-label", "Insert " + item.textContent);
      button.addEventListener("click", () => {
        text.setRangeText(item.dataset.insert, text.selectionStart, text.selectionEnd, "end");
        text.focus();
        changed();
      });
      item.replaceChildren(button);
    }
  }

  // -- keys: a number picks in the first open question, or in the one that has the focus ------------------------------
  const keys = document.getElementById("keys");
  let on = true;
  try { on = localStorage.getItem("keys") !== "off"; } catch { /* a closed store */ }
  const marks = [];
  for (const group of groups)
    [...group.querySelectorAll(".choice")].slice(0, 9).forEach((choice, index) => {
      const mark = document.createElement("kbd");
      mark.textContent = index + 1;
      mark.setAttribute("aria-hidden", "true");
      choice.append(mark);
      marks.push(mark);
    });
  const showKeys = () => { for (const mark of marks) mark.hidden = !on; };
  showKeys();
  if (keys) {
    const box = keys.querySelector("input");
    box.checked = on;
    box.addEventListener("change", () => {
      on = box.checked;
      try { localStorage.setItem("keys", on ? "on" : "off"); } catch { /* a closed store */ }
      showKeys();
    });
    keys.querySelector("label").hidden = !marks.length;
    keys.hidden = false;
  }
  const current = () => {
    const focused = document.activeElement?.closest?.("fieldset.asked");
    return focused || groups.find((group) => !answered(group)) || groups[0];
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("button.main"));
      return;
    }
    if (!on || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, select, input[type=text]")) return;
    const number = Number(event.key);
    const input = Number.isInteger(number) && number > 0 && current()?.querySelectorAll("input")[number - 1];
    if (!input) return;
    event.preventDefault();
    input.checked = input.type === "radio" ? true : !input.checked;
    input.focus({ focusVisible: true });
    input.dispatchEvent(new Event("input", { bubbles: true }));
    if (input.type === "radio") {
      const next = groups[groups.indexOf(current()) + 1];
      if (next && !answered(next)) next.querySelector("input").focus({ focusVisible: true });
    }
  });
  show();
})();
