package mail_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"berthier/mail"
	"berthier/mail/local"
)

// A player's letter goes to the office's mailbox and is read there.
func Example() {
	host, err := local.Start(local.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	for box, password := range map[string]string{"office@club.test": "one", "anna@players.test": "two"} {
		if err := host.AddBox(box, password); err != nil {
			log.Fatal(err)
		}
	}

	raw, err := mail.Draft{
		From:      mail.Address{Name: "Anna", Addr: "anna@players.test"},
		To:        mail.Address{Addr: "office@club.test"},
		Subject:   "Orders",
		MessageID: "1@players.test",
		Date:      time.Now(),
		Text:      "game: ligny-7\n",
	}.Compose()
	if err != nil {
		log.Fatal(err)
	}
	out := &mail.SMTP{Config: mail.SMTPConfig{
		Address: host.SMTPAddr(), Security: mail.SecurityNone, Username: "anna@players.test", Password: "two",
	}}
	defer out.Close()
	if err := out.Send(context.Background(), "anna@players.test", "office@club.test", raw); err != nil {
		log.Fatal(err)
	}

	box := &mail.Mailbox{Config: mail.IMAPConfig{
		Address: host.IMAPAddr(), Security: mail.SecurityNone, Username: "office@club.test", Password: "one",
	}}
	ctx, cancel := context.WithCancel(context.Background())
	_ = box.Run(ctx, func(_ context.Context, in mail.Incoming) (mail.Folder, error) {
		defer cancel()
		letter, err := mail.Read(in.Raw, mail.Own{Addresses: []string{"office@club.test"}})
		if err != nil {
			return mail.Rejected, nil
		}
		fmt.Printf("%s: %s\n%s", letter.From, letter.Subject, letter.Parts[0].Text)
		return mail.Processed, nil
	})
	// Output:
	// Anna <anna@players.test>: Orders
	// game: ligny-7
}
