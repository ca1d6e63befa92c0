;;; editor.el --- drives `sylk acp' with acp.el  -*- lexical-binding: t; -*-

;; emacs -Q --batch -L DIRECTORY_OF_ACP_EL -l editor.el LAUNCHER REPOSITORY MODEL
;;
;; acp.el is a library of its own, in another language than ours. Each line that is printed is one thing that was seen:
;; {"scene": …, …}. The lab says what has to be true of it.

(require 'acp)
(require 'json)
(require 'map)

(defvar editor-launcher (pop command-line-args-left))
(defvar editor-repository (file-name-as-directory (pop command-line-args-left)))
(defvar editor-model (pop command-line-args-left))
(defvar editor-updates nil "What the agent told, the last first.")
(defvar editor-asked nil "Titles of permissions that were asked for.")
(defvar editor-answer "allow_once" "Kind of the option that is chosen.")
(defvar editor-on-update #'ignore)

(defun editor-show (scene &rest facts)
  (princ (concat (json-serialize `((scene . ,scene) ,@facts) :false-object :false) "\n")))

(defun editor-on-request (client request)
  (let* ((params (map-elt request 'params))
         (option (seq-find (lambda (each) (equal (map-elt each 'kind) editor-answer))
                           (map-elt params 'options))))
    (push (map-nested-elt params '(toolCall title)) editor-asked)
    (acp-send-response
     :client client
     :response (acp-make-session-request-permission-response
                :request-id (map-elt request 'id)
                :option-id (map-elt option 'optionId)))))

(defun editor-start ()
  (let ((client (acp-make-client :context-buffer (get-buffer-create "*editor*")
                                 :command "sh"
                                 :command-params (list editor-launcher "acp" "--model" editor-model))))
    (acp-subscribe-to-notifications
     :client client
     :on-notification (lambda (notification)
                        (let ((update (map-nested-elt notification '(params update))))
                          (push update editor-updates)
                          (funcall editor-on-update update))))
    (acp-subscribe-to-requests
     :client client
     :on-request (lambda (request) (editor-on-request client request)))
    (acp-send-request
     :client client :sync t
     :request (acp-make-initialize-request :protocol-version 1
                                           :client-info '((name . "acp.el") (version . "1"))))
    client))

(defun editor-ask (client request)
  (acp-send-request :client client :request request :sync t))

(defun editor-kinds ()
  (vconcat (delete-dups (mapcar (lambda (each) (map-elt each 'sessionUpdate)) editor-updates))))

(defun editor-plan ()
  "Statuses of the last plan."
  (let ((plan (seq-find (lambda (each) (equal (map-elt each 'sessionUpdate) "plan")) editor-updates)))
    (vconcat (mapcar (lambda (entry) (map-elt entry 'status)) (map-elt plan 'entries)))))

(defun editor-diffs ()
  (vconcat (seq-mapcat (lambda (update)
                         (let ((content (map-elt update 'content)))
                           (and (vectorp content)
                                (delq nil (mapcar (lambda (part)
                                                    (and (equal (map-elt part 'type) "diff")
                                                         (map-elt part 'path)))
                                                  content)))))
                       editor-updates)))

(defun editor-said (kind)
  (mapconcat (lambda (update) (or (map-nested-elt update '(content text)) ""))
             (seq-filter (lambda (each) (equal (map-elt each 'sessionUpdate) kind))
                         (reverse editor-updates))
             ""))

(defun editor-prompt (client session text)
  (setq editor-updates nil editor-asked nil)
  (map-elt (editor-ask client (acp-make-session-prompt-request
                               :session-id session :prompt `(((type . "text") (text . ,text)))))
           'stopReason))

(let* ((client (editor-start))
       (opened (editor-ask client (acp-make-session-new-request :cwd editor-repository)))
       (session (map-elt opened 'sessionId)))
  (editor-show "opened" `(session . ,session)
               `(modes . ,(vconcat (mapcar (lambda (mode) (map-elt mode 'id))
                                           (map-nested-elt opened '(modes availableModes))))))
  (editor-ask client (acp-make-session-set-mode-request :session-id session :mode-id "work"))
  (dolist (kind '("allow_once" "reject_once"))
    (setq editor-answer kind)
    (let ((stop (editor-prompt client session (format "make a change, %s" kind))))
      (editor-show kind `(stop . ,stop) `(kinds . ,(editor-kinds)) `(plan . ,(editor-plan))
                   `(diffs . ,(editor-diffs)) `(asked . ,(vconcat editor-asked))
                   `(said . ,(editor-said "agent_message_chunk")))))
  (let ((cancelled nil))
    (setq editor-on-update
          (lambda (update)
            (when (and (not cancelled) (equal (map-elt update 'sessionUpdate) "tool_call"))
              (setq cancelled t)
              (acp-send-notification
               :client client
               :notification (acp-make-session-cancel-notification :session-id session)))))
    (let ((stop (editor-prompt client session "make a change that is cancelled")))
      (setq editor-on-update #'ignore)
      (editor-show "cancel" `(stop . ,stop))))
  (acp-shutdown :client client)
  (setq editor-updates nil)
  (let* ((second (editor-start))
         (listed (editor-ask second (acp-make-session-list-request :cwd editor-repository))))
    (editor-ask second (acp-make-session-load-request :session-id session :cwd editor-repository))
    (editor-show "load"
                 `(listed . ,(if (seq-find (lambda (each) (equal (map-elt each 'sessionId) session))
                                           (map-elt listed 'sessions))
                                 t
                               :false))
                 `(told . ,(editor-said "user_message_chunk"))
                 `(said . ,(editor-said "agent_message_chunk")))
    (acp-shutdown :client second)))
;;; editor.el ends here
